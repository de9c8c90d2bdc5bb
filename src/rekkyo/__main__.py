"""`python -m rekkyo` is `rekkyo`."""

from rekkyo.cli.main import main

main()

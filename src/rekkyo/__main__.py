"""`python -m rekkyo` is `rekkyo`."""

from rekkyo.cli.start import start

start()

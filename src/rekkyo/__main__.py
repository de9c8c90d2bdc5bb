"""`python -m rekkyo` is `rekkyo`."""

from rekkyo_programs import rekkyo

rekkyo()

"""Random models in MiniZinc, counted by rekkyo and by Gecode."""

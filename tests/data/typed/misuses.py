"""What `mypy --strict` must refuse in a user's program; at the end of each line, why. It is never run."""

import rekkyo as rk

rk.queens("8")  # refused: arg-type
rk.queens(8, blocked=[(0, 0, 0)])  # refused: list-item
rk.queens(8, torus=True)  # refused: call-arg
rk.count("queens 8")  # refused: arg-type
rk.count(rk.queens(8), True)  # refused: call-arg arg-type
print(rk.count(rk.queens(8)).number)  # refused: attr-defined
half: int = rk.count(rk.queens(8)).unique  # refused: assignment
rows: list[tuple[int, ...]] = rk.solve(rk.queens(8))  # refused: assignment
rk.verify(rk.queens(8), "abc")  # refused: arg-type
rk.run(rk.queens(8))  # refused: call-arg
rk.run(rk.queens(8), "q8", worker=2)  # refused: call-arg
rk.run(rk.queens(8), "q8", workers="2")  # refused: arg-type
print(rk.run(rk.queens(8), "q8").totals)  # refused: attr-defined
rk.Run("q8").resume(watch=lambda found, nodes: None)  # refused: arg-type misc
rk.packing("###", "AAA", times={"A": (0, 1, 2)})  # refused: dict-item
rk.sum_figure("a b", given={"a": "1"})  # refused: dict-item
rk.Coloring(4, 2, sets=[0, 1])  # refused: arg-type
rk.ExactCover(primary=("a",), options=((0,),))  # refused: arg-type
rk.Puzzle("mine", "queens", "Mine")  # refused: arg-type
rk.solved(rk.queens(8))  # refused: attr-defined
rk.queens(8).name = "another"  # refused: misc

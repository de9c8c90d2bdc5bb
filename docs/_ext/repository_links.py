"""Links out of docs/, such as `../benchmarks/README.md`, which lead somewhere in the repository only.

In the built pages there is nothing at the other end of a link to a folder or to a page that is not built, so
the words stay and the link goes. Links to other files, such as `../examples/soma.toml`, become downloads. A
link to a file that is not there either is an error of its own (`tests/test_pages.py`).
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.addnodes import download_reference
from sphinx.transforms import SphinxTransform


class UnlinkRepositoryFiles(SphinxTransform):
    """Before MyST looks for the targets."""

    default_priority = 5

    def apply(self, **_: Any) -> None:
        """Replace every reference that leads out of docs/ by its words."""
        for node in list(self.document.findall(nodes.Element)):
            target = node.get("reftarget")
            if target and not isinstance(node, download_reference) and self._leads_out(target):
                node.replace_self(node.children)

    def _leads_out(self, target: str) -> bool:
        here = (self.env.srcdir / self.env.docname).parent
        return "://" not in target and not (here / target).resolve().is_relative_to(self.env.srcdir.resolve())


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_transform(UnlinkRepositoryFiles)
    return {"parallel_read_safe": True}

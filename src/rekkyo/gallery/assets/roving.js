// One stop of the Tab key for a group: the arrow keys go to the nearest member in their direction.

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function roving(group, selector) {
  const members = () => [...group.querySelectorAll(selector)].filter(member => !member.disabled && !member.hidden);
  const only = chosen => { for (const member of members()) member.setAttribute("tabindex", member === chosen ? "0" : "-1"); };
  const update = () => {
    const all = members();
    if (all.filter(member => member.getAttribute("tabindex") === "0").length !== 1) only(all[0]);
  };
  group.addEventListener("focusin", event => {
    const member = event.target.closest(selector);
    if (member && group.contains(member)) only(member);
  });
  group.addEventListener("keydown", event => {
    const from = event.target.closest(selector);
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = members();
    const next = event.key === "Home" ? all[0] : event.key === "End" ? all.at(-1) : ARROWS[event.key] ? nearest(all, from, ARROWS[event.key]) : null;
    if (next === null) return;
    next?.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  new MutationObserver(update).observe(group, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden", "disabled"] });
  update();
}

// Far to the side counts more than far along, so that a row is left only where it ends.
function nearest(members, from, [x, y]) {
  const middle = member => { const box = member.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [fromX, fromY] = middle(from);
  let best, least = Infinity;
  for (const member of members) {
    const [toX, toY] = middle(member), along = (toX - fromX) * x + (toY - fromY) * y;
    const far = along + 3 * Math.abs((toX - fromX) * y + (toY - fromY) * x);
    if (member !== from && along > 1 && far < least) [best, least] = [member, far];
  }
  return best;
}

// Fingers: a swipe to either side, and two fingers that move apart or together.

const FAR = 50;

export function onSwipe(element, swiped) {
  let start = null;
  element.addEventListener("touchstart", event => {
    start = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  element.addEventListener("touchend", event => {
    if (!start || (window.visualViewport?.scale ?? 1) > 1.01) return;
    const end = event.changedTouches[0], across = end.clientX - start.clientX, down = end.clientY - start.clientY;
    start = null;
    if (Math.abs(across) > FAR && Math.abs(across) > 2 * Math.abs(down)) swiped(across < 0 ? 1 : -1);
  });
}

// Calls with 1 or -1 whenever the distance has grown or shrunk by a third.
export function onPinch(element, pinched) {
  let before = 0;
  const distance = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  element.addEventListener("touchstart", event => { before = event.touches.length === 2 ? distance(event.touches) : 0; }, { passive: true });
  element.addEventListener("touchmove", event => {
    if (!before || event.touches.length !== 2) return;
    event.preventDefault();
    const now = distance(event.touches);
    if (now > before * 1.33 || now < before / 1.33) {
      pinched(now > before ? 1 : -1);
      before = now;
    }
  }, { passive: false });
}

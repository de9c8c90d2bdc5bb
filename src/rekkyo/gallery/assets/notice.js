// What stands in the place of the sheet when there is nothing to show: a refusal, no solution, a long search.

const $ = id => document.getElementById(id);

export class Notice {
  // actions: [label, what it does], the way back first.
  show(text, actions = []) {
    $("notice-text").textContent = text;
    $("notice-bar").hidden = true;
    $("notice-actions").replaceChildren(...actions.map(([label, act]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", act);
      return button;
    }));
    $("notice").hidden = false;
  }

  progress(scanned, of, stop) {
    if ($("notice-bar").hidden) {
      this.show("", [["Stop", stop]]);
      $("notice-bar").hidden = false;
    }
    $("notice-bar").value = scanned / of;
    $("notice-text").textContent = `Looking at ${of.toLocaleString("en")} solutions: ${Math.floor((100 * scanned) / of)} %`;
  }

  hide() { $("notice").hidden = true; }
  get isHidden() { return $("notice").hidden; }
}

// Words that are heard and not seen, for pictures that say it to the eye.
export function heard(text) {
  const words = document.createElement("span");
  words.className = "heard";
  words.textContent = text;
  return words;
}

export function say(id, text) { document.getElementById(id).textContent = text; }

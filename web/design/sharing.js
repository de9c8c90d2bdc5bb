// A puzzle as the part of an address behind "#", which no server ever sees.

const NAME = "#toml=";

export async function fragmentOf(text) {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const marks = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return NAME + btoa(marks).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function textOf(fragment) {
  if (!fragment.startsWith(NAME)) return null;
  try {
    const marks = atob(fragment.slice(NAME.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(marks, (mark) => mark.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await read(plain, 1 << 18);
  } catch {
    return null;
  }
}

// At most so many bytes of a stream: a short address could unpack to gigabytes.
async function read(stream, most) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let found = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return found + decoder.decode();
    size += value.length;
    if (size > most) return null;
    found += decoder.decode(value, { stream: true });
  }
}

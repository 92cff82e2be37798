const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether objects and lists in a JSON text stand in each other beyond a depth. Texts that are no JSON are counted alike. */
export function isDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    // `[` and `{`, then `]` and `}`.
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

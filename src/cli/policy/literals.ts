/** An object literal in code, with the texts of its properties. The properties of nested literals are not included. */
export interface Literal {
  /** The text before the literal, from the beginning of the statement or property that contains the literal. */
  readonly head: string;
  readonly properties: ReadonlyMap<string, string>;
}

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|[{}[\](),;]|[^"'`{}[\](),;/]+|\//g;

/**
 * Finds the object literals of a module in JavaScript or TypeScript, without running the module. The function does not
 * understand every syntax, and can miss properties. Therefore, callers also compare the texts of the files.
 */
export function literalsIn(code: string): Literal[] {
  const found: Literal[] = [];
  const open: { readonly bracket: string; readonly head: string; parts: string[]; part: string }[] = [
    { bracket: "", head: "", parts: [], part: "" },
  ];
  for (const [token] of code.matchAll(TOKEN)) {
    const top = open.at(-1)!;
    if (token.startsWith("//") || token.startsWith("/*")) continue;
    if (token === "{" || token === "[" || token === "(")
      open.push({ bracket: token, head: top.part, parts: [], part: "" });
    else if ((token === "}" || token === "]" || token === ")") && open.length > 1) {
      open.pop();
      const parts = [...top.parts, top.part];
      if (top.bracket === "{") found.push({ head: top.head.trim(), properties: propertiesOf(parts) });
      open.at(-1)!.part += `${top.bracket}${parts.join(",")}${token}`;
    } else if (token === "," || token === ";") {
      top.parts.push(top.part);
      top.part = "";
    } else top.part += token;
  }
  return found;
}

const propertiesOf = (parts: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    parts.flatMap((part) => {
      const [, key, value] = /^\s*["']?([\w$]+)["']?\s*:([\s\S]*)$/.exec(part) ?? [];
      return key === undefined ? [] : [[key, value!.trim().replace(/\s+/g, " ")] as const];
    }),
  );

/** Returns the text of a literal: a string without its quotes, or a number or word unchanged. */
export const plainText = (value: string | undefined): string | undefined =>
  value?.replace(/^(["'`])([\s\S]*)\1$/, "$2");

import { escapeUnsafe } from "../model/source-text";

/** A text as a template of Terraform's language with exactly this value. */
export const templateText = (text: string): string =>
  text.replace(/[$%]+(?=\{)/g, (signs) => (signs.length === 1 ? `${signs}${signs}` : `\${"${signs}"}`));

/** A quoted template of HCL: a bare expression if it is nothing else. */
export function quotedTemplate(template: string): string {
  const only = /^\$\{(var\.[a-z]+\["[\w-]+"\])\}$/.exec(template)?.[1];
  if (only !== undefined) return only;
  // The quotes inside of an interpolation are not part of the text.
  return `"${template
    .split(/(\$\{(?:var\.[a-z]+\["[\w-]+"\]|"[$%]+")\})/)
    .map((part, at) => (at % 2 === 1 ? part : escaped(part)))
    .join("")}"`;
}

const escaped = (text: string): string => escapeUnsafe(text.replace(/["\\]/g, "\\$&"), codePoint);

function codePoint(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}

import { styleText } from "node:util";
import { isOneLine, oneLine } from "../../text";
import type { Channel, Terminal } from "./terminal";

/** Whether a text can be printed verbatim over several lines. */
export const isPlainText = (text: string): boolean => text.split("\n").every(isOneLine);

/** The text in quotes. */
export const quote = (text: string): string => oneLine(JSON.stringify(text));

/** Returns a name for the left side of `=`, quoted if the name is not an identifier. */
export const fieldName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : quote(name);

/** Joins blocks of lines with empty lines between them. Empty blocks are left out. */
export const paragraphs = (blocks: readonly (readonly string[])[]): string[] =>
  blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? [...block] : ["", ...block]));

const FORMATS = ["bold", "dim", "red", "green", "yellow", "cyan"] as const;

/** Functions that colour text on terminals, and return it unchanged elsewhere. */
export type Style = Readonly<Record<(typeof FORMATS)[number], (text: string) => string>>;

const styleOf = (paint: (format: keyof Style, text: string) => string): Style =>
  Object.fromEntries(FORMATS.map((format) => [format, (text: string) => paint(format, text)])) as Style;

export const PLAIN = styleOf((_, text) => text);
const COLOURED = styleOf((format, text) => styleText(format, text, { validateStream: false }));

/** The style of a channel: with colours on a terminal, unless `--no-color` or NO_COLOR disables them. */
export const styleFor = (channel: Channel, { env }: Terminal, color: boolean): Style =>
  color && channel.isTerminal && !env["NO_COLOR"] ? COLOURED : PLAIN;

import { styleText } from "node:util";
import { isOneLine, oneLine } from "../../text";
import type { Channel, Terminal } from "../terminal/terminal";

/** Whether a text can be printed verbatim over several lines. */
export const isPlainText = (text: string): boolean => text.split("\n").every(isOneLine);

/** The text in quotes. */
export const quote = (text: string): string => oneLine(JSON.stringify(text));

/** A name on the left of `=`, quoted if it is not an identifier. */
export const fieldName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : quote(name);

/** Joins blocks of lines with empty lines between them. Empty blocks are left out. */
export const paragraphs = (blocks: readonly (readonly string[])[]): string[] =>
  blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? [...block] : ["", ...block]));

/** Colours for terminals; the identity elsewhere. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const same = (text: string) => text;
export const PLAIN: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(format, text, { validateStream: false });

const COLOURED: Style = {
  bold: paint("bold"),
  dim: paint("dim"),
  red: paint("red"),
  green: paint("green"),
  yellow: paint("yellow"),
  cyan: paint("cyan"),
};

/** Whether a channel shows colours: on a terminal, unless `--no-color` or NO_COLOR disables them. */
const hasColour = (channel: Channel, { env }: Pick<Terminal, "env">, color: boolean): boolean =>
  color && channel.isTerminal && !env["NO_COLOR"];

/** The style of a channel. */
export const styleFor = (channel: Channel, terminal: Terminal, color: boolean): Style =>
  hasColour(channel, terminal, color) ? COLOURED : PLAIN;

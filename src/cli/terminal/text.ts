import { styleText } from "node:util";
import { quote } from "../../text";
import type { Channel, Terminal } from "./terminal";

/** Returns the name of a field in the form for the left side of `=`: in quotes if the name is not an identifier. */
export const fieldName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : quote(name);

const FORMATS = ["bold", "dim", "red", "green", "yellow", "cyan"] as const;

/** Functions that colour a text on terminals. If the channel is not a terminal, the functions return the text unchanged. */
export type Style = Readonly<Record<(typeof FORMATS)[number], (text: string) => string>>;

const styleOf = (paint: (format: keyof Style, text: string) => string): Style =>
  Object.fromEntries(FORMATS.map((format) => [format, (text: string) => paint(format, text)])) as Style;

export const PLAIN = styleOf((_, text) => text);
const COLOURED = styleOf((format, text) => styleText(format, text, { validateStream: false }));

/** Returns the style of a channel. The style has colours on a terminal, unless `--no-color` or NO_COLOR disables them. */
export const styleFor = (channel: Channel, { env }: Terminal, color: boolean): Style =>
  color && channel.isTerminal && !env["NO_COLOR"] ? COLOURED : PLAIN;

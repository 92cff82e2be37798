import { oneLine } from "../../text";
import type { Style } from "../printing/style";

/** The heading of a stack in the output of several. */
export const renderStackHeading = (stack: string | undefined, { bold }: Style): string[] => [
  "",
  bold(oneLine(`Stack ${stack ?? ""}`)),
];

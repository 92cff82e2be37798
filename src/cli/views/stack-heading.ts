import { oneLine } from "../../text";
import type { Style } from "../printing/style";

/** What stands above a stack's part where there are several. */
export const renderStackHeading = (stack: string | undefined, { bold }: Style): string[] => [
  "",
  bold(oneLine(`Stack ${stack ?? ""}`)),
];

import type { ImportResult } from "../../engine";
import { oneLine } from "../../text";
import type { Style } from "../printing/style";

/** The result of an import. Empty if the import was refused. */
export function renderImported(address: string, { id }: ImportResult, style: Style): string[] {
  if (id === undefined) return [];
  return [
    `${style.bold(style.green("Import successful!"))} ${oneLine(`${address} was imported with the id ${id}.`)}`,
    "`steward plan` shows how it differs from the configuration.",
  ];
}

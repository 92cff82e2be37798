import { quotedTemplate, templateText } from "./text";

/** A live object, and the address that takes it over. */
export interface ImportBlock {
  readonly address: string;
  readonly id: string;
}

/** Import blocks for Terraform and OpenTofu, in HCL or in the JSON syntax. */
export const printImportBlocks = (imports: readonly ImportBlock[], format: "hcl" | "json"): string =>
  format === "hcl" ? `${imports.map(hclBlock).join("\n\n")}\n` : `${jsonBlocks(imports)}\n`;

const hclBlock = ({ address, id }: ImportBlock): string =>
  ["import {", `  to = ${templateText(address)}`, `  id = ${quotedTemplate(templateText(id))}`, "}"].join(
    "\n",
  );

const jsonBlocks = (imports: readonly ImportBlock[]): string =>
  JSON.stringify(
    { import: imports.map(({ address, id }) => ({ to: templateText(address), id: templateText(id) })) },
    undefined,
    2,
  );

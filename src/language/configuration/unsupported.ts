import { fail } from "../../diagnostics";
import { type BlockLocation, type JsonObject, labelled, loadEach } from "./blocks";

const TOP_LEVEL = new Set([
  "//",
  "terraform",
  "provider",
  "variable",
  "locals",
  "output",
  "resource",
  "data",
  "check",
  "import",
  "moved",
  "removed",
]);
const TERRAFORM_ONLY = new Set(["module", "ephemeral"]);
const VARIABLE = new Set(["ephemeral"]);
const OUTPUT = new Set(["ephemeral"]);
const RESOURCE = new Set(["provisioner", "connection", "dynamic"]);

/** Reports unsupported features before any request is sent. */
export function reportUnsupported(json: JsonObject, file: string): void {
  loadEach(Object.keys(json), (keyword) => {
    if (TOP_LEVEL.has(keyword)) return;
    if (TERRAFORM_ONLY.has(keyword)) unsupportedFeature(`The block "${keyword}" in ${file}`);
    fail({
      code: "configuration_invalid",
      summary: "Invalid configuration",
      detail: `${file} has a block "${keyword}", which is not part of Terraform's JSON syntax.`,
    });
  });
  loadEach(
    [
      ["variable", VARIABLE],
      ["output", OUTPUT],
    ] as const,
    ([keyword, unsupported]) => reportWithin(json[keyword], keyword, unsupported),
  );
}

function reportWithin(json: unknown, keyword: string, unsupported: ReadonlySet<string>): void {
  loadEach(labelled(json, keyword, 1), ({ labels: [name], body }) => {
    const found = Object.keys(body).find((key) => unsupported.has(key));
    if (found !== undefined) unsupportedFeature(`"${found}" of the ${keyword} "${name}"`);
  });
}

/** The same for one resource or data source. */
export function reportUnsupportedInResource(body: JsonObject, { address, construct }: BlockLocation): void {
  const found = Object.keys(body).find((key) => RESOURCE.has(key));
  if (found !== undefined)
    unsupportedFeature(`"${found}" of ${address}`, {
      address,
      ...(construct !== undefined && { construct }),
    });
}

/** The error for an unsupported feature, with the alternative. */
export function unsupportedFeature(
  what: string,
  place: { address?: string; construct?: string } = {},
): never {
  return fail({
    code: "configuration_unsupported",
    summary: "Not supported by the embedded engine",
    detail: `${what} is not supported by the embedded engine. Run Terraform on this configuration: \`steward exec -- terraform plan\`.`,
    ...place,
  });
}

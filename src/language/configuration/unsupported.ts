import { fail } from "../../diagnostics";
import { type JsonObject, labelled, loadEach, type Place } from "./blocks";

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
const KNOWN_ELSEWHERE = new Set(["module", "ephemeral"]);
const VARIABLE = new Set(["ephemeral"]);
const OUTPUT = new Set(["ephemeral"]);
const RESOURCE = new Set(["provisioner", "connection", "dynamic"]);

/** Names what a file uses and this engine does not do, before anything is asked of the service. */
export function refuseUnsupported(json: JsonObject, file: string): void {
  loadEach(Object.keys(json), (keyword) => {
    if (TOP_LEVEL.has(keyword)) return;
    if (KNOWN_ELSEWHERE.has(keyword)) refuse(`The block "${keyword}" in ${file}`);
    fail({
      code: "configuration_invalid",
      summary: "Invalid configuration",
      detail: `${file} has a block "${keyword}", which Terraform's JSON syntax does not know.`,
    });
  });
  loadEach(
    [
      ["variable", VARIABLE],
      ["output", OUTPUT],
    ] as const,
    ([keyword, unsupported]) => refuseWithin(json[keyword], keyword, unsupported),
  );
}

function refuseWithin(json: unknown, keyword: string, unsupported: ReadonlySet<string>): void {
  loadEach(labelled(json, keyword, 1), ({ labels: [name], body }) => {
    const found = Object.keys(body).find((key) => unsupported.has(key));
    if (found !== undefined) refuse(`"${found}" of the ${keyword} "${name}"`);
  });
}

/** The same for one resource or data source. */
export function refuseUnsupportedInResource(body: JsonObject, { address, construct }: Place): void {
  const found = Object.keys(body).find((key) => RESOURCE.has(key));
  if (found !== undefined)
    refuse(`"${found}" of ${address}`, { address, ...(construct !== undefined && { construct }) });
}

/** Names something that this engine does not do, and who does. */
export function refuse(what: string, place: { address?: string; construct?: string } = {}): never {
  return fail({
    code: "configuration_unsupported",
    summary: "Not supported by the embedded engine",
    detail: `${what} is not supported by the embedded engine. Run Terraform on this configuration: \`steward exec -- terraform plan\`.`,
    ...place,
  });
}

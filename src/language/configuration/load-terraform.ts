import { bodies, type JsonObject, labelled, malformed, refuseUnknownArguments } from "./blocks";
import type { Backend } from "./model";
import { FOLLOWED_TERRAFORM_VERSION } from "./terraform-version";
import { meetsConstraints, namesPrerelease } from "./version-constraint";

/** Settings of the `terraform` blocks. */
interface Settings {
  readonly requiredProviders: Map<string, string>;
  readonly providerVersions: Map<string, string>;
  backend: Backend | undefined;
}

const KNOWN = ["required_version", "required_providers", "backend", "cloud"];

/** Loads the `terraform` blocks of one file. */
export function loadTerraform(settings: Settings, json: JsonObject): void {
  for (const body of bodies(json["terraform"], "terraform")) {
    refuseUnknownArguments(body, KNOWN, "terraform", "terraform");
    if (body["required_version"] !== undefined) checkVersion(body["required_version"]);
    for (const required of bodies(body["required_providers"], "required_providers")) {
      for (const [name, value] of Object.entries(required)) {
        if (name === "//") continue;
        if (settings.requiredProviders.has(name))
          malformed("required_providers", `"${name}" is declared twice`);
        settings.requiredProviders.set(name, sourceOf(name, value));
        const version = versionOf(name, value);
        if (version !== undefined) settings.providerVersions.set(name, version);
      }
    }
    for (const { labels, body: config } of labelled(body["backend"], "backend", 1))
      setBackend(settings, { type: labels[0]!, config });
    // Equivalent to a backend.
    for (const config of bodies(body["cloud"], "cloud")) setBackend(settings, { type: "cloud", config });
  }
}

function sourceOf(name: string, value: unknown): string {
  const source = typeof value === "object" && value !== null ? (value as JsonObject)["source"] : undefined;
  return typeof source === "string" ? source : `hashicorp/${name}`;
}

/** The version constraint of a provider; the oldest syntax is a plain text. */
function versionOf(name: string, value: unknown): string | undefined {
  const version =
    typeof value === "object" && value !== null ? (value as JsonObject)["version"] : (value ?? undefined);
  if (version === undefined) return undefined;
  if (typeof version === "string" && meetsConstraints("0.0.0", version) !== undefined) return version;
  return invalidConstraint(`required_providers.${name}`, version);
}

const invalidConstraint = (what: string, value: unknown): never =>
  malformed(what, `${JSON.stringify(value)} is not a version constraint such as ">= 1.5, < 2.0"`);

function setBackend(settings: Settings, backend: Backend): void {
  if (settings.backend !== undefined)
    malformed("terraform.backend", `there are two backends, ${settings.backend.type} and ${backend.type}`);
  settings.backend = backend;
}

function checkVersion(constraints: unknown): void {
  const meets =
    typeof constraints === "string" ? meetsConstraints(FOLLOWED_TERRAFORM_VERSION, constraints) : undefined;
  if (meets === undefined) invalidConstraint("terraform.required_version", constraints);
  if (namesPrerelease(String(constraints))) {
    malformed(
      "terraform.required_version",
      `${JSON.stringify(constraints)} names a pre-release, which Terraform refuses here. Remove ` +
        "the part after the hyphen",
    );
  }
  if (!meets) {
    malformed(
      "terraform.required_version",
      `it requires ${constraints}, and the embedded engine is compatible with Terraform ${FOLLOWED_TERRAFORM_VERSION}; run the Terraform that it requires: \`steward exec -- terraform plan\``,
    );
  }
}

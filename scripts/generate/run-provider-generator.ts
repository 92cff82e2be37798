import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ResourceModel } from "@cdktf/provider-generator/lib/get/generator/models";
import { CodeMaker } from "codemaker";
import { packageVersion } from "../../src/cli/version";
import { PROVIDER_NAME } from "../../src/provider";
import type { ProviderSchema } from "../../src/schema";
import { schemaJson } from "../../src/schema/schema";

/** The output of `@cdktf/provider-generator` for a provider's schema. */
export interface Bindings {
  /** The sources by their paths below the provider's folder, such as `job-token-scope/index.ts`. */
  readonly sources: ReadonlyMap<string, string>;
  /** The names of the resources and data sources. The provider itself is not among them. */
  readonly models: readonly ResourceModel[];
}

/** Runs the generator of the cdktf CLI on the schema. */
export async function runProviderGenerator(schema: ProviderSchema): Promise<Bindings> {
  const { TerraformProviderGenerator } = await importQuietly();
  const code = new CodeMaker();
  type Json = ConstructorParameters<typeof TerraformProviderGenerator>[1];
  // The cdktf CLI does not accept providers without a version.
  const versions = { provider_versions: { [schema.source]: packageVersion() } };
  const generator = new TerraformProviderGenerator(code, {
    ...schemaJson(schema),
    ...versions,
  } as unknown as Json);
  generator.generateAll();
  const folder = mkdtempSync(path.join(tmpdir(), "steward-generate-"));
  try {
    await code.save(folder);
    return {
      sources: readSources(path.join(folder, "providers", PROVIDER_NAME)),
      models: generator.buildResourceModels(schema.source as ResourceModel["fqpn"]),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The generator's libraries ask the installed Terraform for its version at their load, and report failures to their
 * makers. The output depends on neither.
 */
async function importQuietly() {
  process.env["CHECKPOINT_DISABLE"] = "1";
  process.env["CDKTF_LOG_LEVEL"] = "OFF";
  process.env["TERRAFORM_BINARY_NAME"] = "no-terraform-is-needed";
  return await import("@cdktf/provider-generator/lib/get/generator/provider-generator.js");
}

/** The indexes of whole folders are left out: ours names the classes themselves, and pages come from elsewhere. */
function readSources(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
    file.replaceAll(path.sep, "/"),
  );
  return new Map(
    files
      .filter((file) => file.includes("/") && file.endsWith(".ts"))
      .sort()
      .map((file) => [file, readFileSync(path.join(folder, file), "utf8")]),
  );
}

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ResourceModel } from "@cdktf/provider-generator/lib/get/generator/models";
import { CodeMaker } from "codemaker";
import { packageVersion } from "../../src/cli/version";
import { PROVIDER_NAME } from "../../src/provider";
import type { ProviderSchema } from "../../src/schema";
import { schemaJson } from "../../src/schema/schema";

/** The output of `@cdktf/provider-generator` for the schema of a provider. */
export interface Bindings {
  /** The source files, by paths below the provider's folder, such as `job-token-scope/index.ts`. */
  readonly sources: ReadonlyMap<string, string>;
  /**
   * The models of resources and data sources, with the names of their classes and attributes. The provider has no
   * model.
   */
  readonly models: readonly ResourceModel[];
}

/** Runs the generator of the cdktf CLI with the schema. */
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
 * Imports the generator without side effects. When the generator's libraries are loaded, they ask the installed
 * Terraform for its version, and send failures to their makers. The generated output does not depend on these requests.
 */
async function importQuietly() {
  process.env["CHECKPOINT_DISABLE"] = "1";
  process.env["CDKTF_LOG_LEVEL"] = "OFF";
  process.env["TERRAFORM_BINARY_NAME"] = "no-terraform-is-needed";
  return await import("@cdktf/provider-generator/lib/get/generator/provider-generator.js");
}

/** Reads the generated sources. Indexes of folders are left out, because this project writes its own index. */
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

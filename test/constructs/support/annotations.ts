import { App, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { StewardProvider } from "../../../src/constructs";
import { inFolder } from "./folder";

/** The messages of constructs during the synthesis of an app, such as `error shop/limit: …`. */
export type Said = readonly string[];

interface Manifest {
  readonly stacks: Readonly<
    Record<
      string,
      { readonly annotations: readonly Readonly<Record<"constructPath" | "level" | "message", string>>[] }
    >
  >;
}

/** Synthesizes an app and returns the messages. Like the command, the synthesis continues after errors. */
export const saidBy = (declare: (app: App) => void): Said =>
  inFolder((outdir, read) => {
    // The variable is set before the app creates stacks, because their constructors read it.
    process.env["CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS"] = "true";
    try {
      const app = new App({ outdir });
      declare(app);
      app.synth();
    } finally {
      delete process.env["CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS"];
    }
    const { stacks } = read("manifest.json") as Manifest;
    return Object.values(stacks).flatMap(({ annotations }) =>
      annotations.map(
        ({ level, constructPath, message }) => `${level.replace("@cdktf/", "")} ${constructPath}: ${message}`,
      ),
    );
  });

/** Creates a stack with a provider. */
export function stackOf(app: Construct, name: string): TerraformStack {
  const stack = new TerraformStack(app, name);
  new StewardProvider(stack, "steward");
  return stack;
}

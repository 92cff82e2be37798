import { serveReattach } from "../../../src/plugin";
import { createProvider } from "../../../src/provider";
import { type Outcome, Workspace } from "../../plugin/support/workspace";
import { argumentsOf, type Case, configurationOf, DECLARED, TRIED, type Verdict } from "./references";

/**
 * Returns the verdict of `terraform validate` on each case. Many cases share one configuration. Each case is in a separate
 * file. An error names the file, and the file names the case.
 */
export async function terraformVerdicts(program: string, cases: readonly Case[]): Promise<Verdict[]> {
  const { env, close } = await serveReattach(createProvider());
  const validate = async (files: Files) => {
    const workspace = new Workspace(program, env);
    workspace.delete("versions.tf");
    for (const [file, content] of Object.entries(files)) workspace.write(file, JSON.stringify(content));
    return workspace.run(["validate", "-json"]).finally(() => workspace.remove());
  };
  try {
    const named = cases.map((one, index) => ({ one, name: `case_${index}` }));
    const together = named.filter(({ one }) => !isAlone(one));
    const wrong = await wrongTogether(together, async (files) => errorsIn(await validate(files)));
    for (const { one, name } of named.filter(({ one }) => isAlone(one)))
      if ((await validate({ "main.tf.json": configurationOf(one) })).code !== 0) wrong.add(name);
    return named.map(({ name }) => (wrong.has(name) ? "wrong" : "right"));
  } finally {
    await close();
  }
}

interface Named {
  readonly name: string;
  readonly one: Case;
}

/** Files of a configuration, by their paths. */
type Files = Readonly<Record<string, object>>;

/** The output of `terraform validate -json`. */
interface Validated {
  readonly diagnostics: readonly Diagnostic[];
}

function errorsIn({ stdout, output }: Outcome): readonly Diagnostic[] {
  if (stdout === "") throw new Error(output);
  return (JSON.parse(stdout) as Validated).diagnostics.filter(({ severity }) => severity === "error");
}

interface Diagnostic {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly range?: { readonly filename: string };
}

/**
 * Returns whether a case needs a separate configuration. Terraform reads `import` blocks only in a root module, and only
 * one block for each object. Variables get their values only in a root module. The error about a missing provider does not
 * name a file. A resource that depends on `self` crashes Terraform.
 */
const isAlone = ({ at, more = {} }: Case): boolean =>
  "import" in more ||
  "variable" in more ||
  (at === "resource" && ("provider" in more || JSON.stringify(more["depends_on"] ?? []).includes("self")));

/**
 * Returns the names of the cases with an error. Terraform reports only the errors of one phase. The function therefore
 * validates again the cases that had no error, until no case has an error.
 */
async function wrongTogether(
  cases: readonly Named[],
  validate: (files: Files) => Promise<readonly Diagnostic[]>,
): Promise<Set<string>> {
  const wrong = new Set<string>();
  for (;;) {
    const rest = cases.filter(({ name }) => !wrong.has(name));
    const errors = await validate(configurationOfAll(rest));
    if (errors.length === 0) return wrong;
    const found = errors.flatMap(casesOf).filter((name) => !wrong.has(name));
    if (found.length === 0) throw new Error(`No case has these errors: ${JSON.stringify(errors)}`);
    for (const name of found) wrong.add(name);
  }
}

/**
 * Returns the names of the cases that an error is about. An error contains these names in the name of its file, or in a
 * message about a cycle.
 */
const casesOf = ({ summary, detail, range }: Diagnostic): readonly string[] =>
  (range?.filename ?? `${summary} ${detail}`).match(/\bcase_\d+/g) ?? [];

/**
 * Merges several cases into one configuration. An output or resource gets the name of its case. A case with other blocks
 * becomes a child module with this name.
 */
function configurationOfAll(cases: readonly Named[]): Files {
  const files: Record<string, object> = { "main.tf.json": DECLARED };
  const modules = [{ Key: "", Source: "", Dir: "." }];
  for (const { name, one } of cases) {
    const { at, ref, more } = one;
    if (at === "file" && more !== undefined) {
      // A child module uses the provider configuration of the root module, unless the case itself configures the provider.
      const { provider, ...others } = configurationOf(one);
      files[`${name}/main.tf.json`] = "provider" in more ? { ...others, provider } : others;
      files[`${name}.tf.json`] = { module: { [name]: { source: `./${name}` } } };
      modules.push({ Key: name, Source: `./${name}`, Dir: name });
    } else files[`${name}.tf.json`] = at === "resource" ? resourceOf(one, name) : outputOf(ref, name);
  }
  return { ...files, ".terraform/modules/modules.json": { Modules: modules } };
}

const outputOf = (ref: string, name: string) => ({ output: { [name]: { value: ref } } });

const resourceOf = (one: Case, name: string) => ({
  resource: {
    [TRIED]: {
      [name]: JSON.parse(JSON.stringify(argumentsOf(one)).replaceAll(`${TRIED}.tried`, `${TRIED}.${name}`)),
    },
  },
});

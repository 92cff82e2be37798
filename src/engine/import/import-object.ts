import { type Diagnostic, error, hasErrors, mergeDiagnostics } from "../../diagnostics";
import { StateEditor } from "../apply/state-editor";
import { stateInstance } from "../apply/state-instance";
import type { ResourceDeclaration } from "../config";
import { locate } from "../evaluate/body";
import { walk } from "../graph/walk";
import { type RunContext, WIDTH } from "../run/context";
import { providerNode, resourceDependencies } from "../run/declarations";
import { expand, type Instance } from "../run/instances";
import { at, objectsOf, providerAddress } from "../run/objects";
import { StackRun } from "../run/stack-run";
import { withoutKey } from "../run/targets";
import type { StateBackend } from "../state/backend";

export interface ImportResult {
  /** The canonical id of what was taken over; nothing where it was not. */
  readonly id: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Takes a live object into the state, for a declaration that has none yet. Writes the state alone. */
export async function importObject(
  context: RunContext,
  backend: StateBackend,
  address: string,
  id: string,
): Promise<ImportResult> {
  const run = new StackRun(context);
  try {
    return await new Importer(run, backend).import(address, id);
  } finally {
    await run.close();
  }
}

class Importer {
  readonly #run: StackRun;
  readonly #backend: StateBackend;

  constructor(run: StackRun, backend: StateBackend) {
    this.#run = run;
    this.#backend = backend;
  }

  async import(address: string, id: string): Promise<ImportResult> {
    const state = await this.#backend.read();
    const declaration = this.#run.context.configuration.resources.get(withoutKey(address));
    if (declaration?.mode !== "managed") return this.#refuse(notDeclared(address));
    const objects = hasErrors(this.#run.diagnostics) ? new Map() : objectsOf(state, this.#run);
    if ([...objects.values()].flat().some((object) => object.address === address)) {
      return this.#refuse(alreadyManaged(address));
    }
    await this.#connect(declaration);
    if (hasErrors(this.#run.diagnostics)) return this.#refuse();
    const { instances, diagnostics } = expand(declaration, this.#run.evaluation);
    if (this.#run.report(diagnostics) === "failed") return this.#refuse();
    const instance = instances.find((one) => one.address === address);
    if (instance === undefined) return this.#refuse(notDeclared(address, instances));
    return this.#take(declaration, instance, id, new StateEditor(state));
  }

  /** Evaluates what the provider's configuration needs, and makes its client. */
  async #connect({ provider, address }: ResourceDeclaration): Promise<void> {
    const { graph } = this.#run;
    const needed = graph.only(graph.closure([providerNode(provider), ...this.#localsOf(address)]));
    await walk(
      needed,
      (id, node) =>
        this.#run.guard(id, async () => {
          if (node.kind === "local") return this.#run.visitLocal(node.name, node);
          return node.kind === "provider"
            ? this.#run.visitProvider(node.key, node.declaration, true)
            : "done";
        }),
      { width: WIDTH },
    );
  }

  #localsOf(address: string): string[] {
    const { graph } = this.#run;
    return graph.dependenciesOf(address).filter((id) => graph.value(id)?.kind === "local");
  }

  async #take(
    declaration: ResourceDeclaration,
    instance: Instance,
    id: string,
    editor: StateEditor,
  ): Promise<ImportResult> {
    const { type, name, provider, construct } = declaration;
    const { state, diagnostics } = await this.#run.configured(provider).importResource({ type, id });
    this.#run.report(at(diagnostics, instance.address, construct));
    if (state === undefined) return this.#refuse();
    editor.put(
      { mode: "managed", type, name, provider: providerAddress(this.#run.source(provider), provider) },
      stateInstance(state, this.#run.schema(declaration), {
        key: instance.key,
        sensitive: [],
        dependencies: resourceDependencies(this.#run.graph, declaration.address),
      }),
    );
    await this.#backend.write(editor.snapshot());
    return { id: String(state.attributes["id"]), diagnostics: mergeDiagnostics(this.#run.diagnostics) };
  }

  #refuse(...more: readonly Diagnostic[]): ImportResult {
    return { id: undefined, diagnostics: mergeDiagnostics(this.#run.diagnostics, more) };
  }
}

/** How many of the instances that there are a message names. */
const NAMED = 5;

function notDeclared(address: string, others: readonly Instance[] = []): Diagnostic {
  const names = others.slice(0, NAMED).map((one) => one.address);
  const hint =
    names.length === 0
      ? "Declare it first, then import."
      : `It declares ${names.join(", ")}${others.length > NAMED ? ", …" : ""}.`;
  return error({
    code: "import_not_declared",
    summary: "Nothing declared to import into",
    detail: `The configuration declares no resource instance ${address}. ${hint}`,
    ...locate({ address, construct: undefined }),
  });
}

const alreadyManaged = (address: string): Diagnostic =>
  error({
    code: "import_already_managed",
    summary: "Already in the state",
    detail:
      `The state holds an object at ${address} already. To take over another one, drop that first ` +
      `with \`steward state rm\`; the object itself stays on the service.`,
    ...locate({ address, construct: undefined }),
  });

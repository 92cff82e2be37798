/** An app of cdktf or cdktn. */
export interface TestedApp {
  readonly outdir: string;
  readonly node: Node;
  synth(): void;
}

/** A stack of an app. */
export interface TestedStack {
  readonly node: Node;
  prepareStack(): void;
}

interface Node {
  readonly id: string;
  readonly root: unknown;
}

/** What a test can plan and apply: all stacks of an app, or one of them. */
export type Tested = TestedApp | TestedStack;

/** The manifest of cdktf: an app makes one for its own output folder. */
interface Manifest {
  readonly version: string;
  readonly constructor: new (version: string, outdir: string, hclOutput: boolean) => Manifest;
}

/** The names of the stacks to process; all if it is an app. */
export const stackNames = (tested: Tested): readonly string[] => (isApp(tested) ? [] : [tested.node.id]);

/**
 * Synthesizes the whole app, with its validations, to another folder than its own: tests run side by side, and leave nothing.
 *
 * @throws what the app's synthesis throws
 */
export function synthesizeTo(folder: string, tested: Tested): void {
  const app = isApp(tested) ? tested : appOf(tested);
  const { manifest } = app as TestedApp & { readonly manifest: Manifest };
  const own = new manifest.constructor(manifest.version, folder, false);
  // The same app, except where it writes to.
  const elsewhere: TestedApp = Object.create(app, {
    outdir: { value: folder },
    manifest: { value: own },
  });
  elsewhere.synth();
}

const isApp = (tested: object): tested is TestedApp => "synth" in tested && "outdir" in tested;

function appOf({ node }: TestedStack): TestedApp {
  const { root } = node;
  if (typeof root === "object" && root !== null && isApp(root)) return root;
  throw new TypeError(
    `The stack ${JSON.stringify(node.id)} is in no app. Make it in an App, such as \`Testing.app()\` of cdktf.`,
  );
}

import type { Report, ReportCommand } from "../../../../src/cli/document/model";
import { ReportCollector } from "../../../../src/cli/reports/collector";
import { RunView } from "../../../../src/cli/views/run-view";
import { error, warning } from "../../../../src/diagnostics";
import {
  type ApplyResult,
  type CoverageScan,
  emptyState,
  type State,
  type UnmanagedObject,
} from "../../../../src/engine";
import { UNKNOWN } from "../../../../src/schema";
import { ATTRIBUTES, change, objects, output, plan } from "../../support/models";

/** Returns the report of a run that makes these calls to the view. */
export async function reportOf(command: ReportCommand, run: (view: RunView) => void): Promise<Report> {
  let report: Report | undefined;
  let seconds = 0;
  const now = () => new Date(Date.UTC(2026, 0, 31, 12, 0, 2 * seconds++));
  const collector = new ReportCollector(
    command,
    async (one) => {
      report = one;
    },
    undefined,
    now,
  );
  const view = new RunView(collector);
  run(view);
  await view.end();
  return report!;
}

const created = change({
  address: 'acme_thing.people["ana@example.com"]',
  construct: "shop/people/ana",
  position: "src/people.ts:12",
  action: "create",
  before: null,
  after: {
    id: UNKNOWN,
    project: "shop/web",
    steps: ["look", "leap"],
    rules: [{ user: "ana", count: UNKNOWN }],
    secret: "new-secret",
  },
});
const updated = change({
  address: "acme_thing.limit",
  action: "update",
  before: { id: "1", enabled: true, targets: ["a", "b"], note: "as `it` was | see <b>" },
  after: { id: "1", enabled: false, targets: ["b", "c"], note: "```\nas it is" },
});
const replaced = change({
  address: "acme_thing.moved",
  action: "delete-then-create",
  reason: "replace_because_cannot_update",
  before: { id: "2", project: "shop/web" },
  after: { id: UNKNOWN, project: "shop/api" },
  replacePaths: [["project"]],
});
const unchanged = change({
  address: "acme_thing.same",
  action: "no-op",
  before: { id: "3" },
  after: { id: "3" },
});
const refused = error({
  code: "reference_not_found",
  summary: "Project not found",
  detail: 'There is no project "shop/gone", or the token of bob@example.com can\'t see it.',
  address: "acme_thing.gone",
  construct: "shop/gone",
  attribute: ["project"],
});
const unmanaged: UnmanagedObject = {
  type: "acme_thing",
  id: "42:staging",
  container: "project 42",
  live: { id: "42:staging", project: "shop/web", targets: ["a"], secret: "hidden-secret" },
  attributes: ATTRIBUTES,
};
const general = warning({
  code: "rights_lost",
  summary: "Part of a plan",
  detail: "Only some objects were checked.",
});

const PLAN = plan({
  changes: [created, updated, replaced, unchanged],
  outputs: [output({ name: "url", action: "update", before: "a", after: "b" })],
  diagnostics: [refused, general],
  summary: { add: 2, change: 1, remove: 1, import: 0, move: 0 },
});

export const planned = (): Promise<Report> =>
  reportOf("plan", (view) => {
    view.stack("shop", 1);
    view.plan(PLAN);
  });

/** The state after the apply. This state contains the created object with its id. */
const STATE: State = {
  ...emptyState(),
  resources: [
    {
      mode: "managed",
      type: "acme_thing",
      name: "people",
      provider: 'provider["registry.example/acme/acme"]',
      instances: [
        {
          indexKey: "ana@example.com",
          schemaVersion: 0,
          attributes: {
            id: "7",
            project: "shop/web",
            steps: ["look", "leap"],
            rules: [{ user: "ana", count: 3 }],
            secret: "new-secret",
          },
          sensitive: [],
          dependencies: [],
        },
      ],
    },
  ] as unknown as State["resources"],
};

/**
 * Returns the report of an apply. One object is applied, one is refused, and one is not started. The second stack could not
 * be opened.
 */
export const applied = (): Promise<Report> =>
  reportOf("apply", (view) => {
    view.stack("shop", 2);
    view.plan({ ...PLAN, diagnostics: [] });
    const ended = { action: "create", milliseconds: 5 } as const;
    view.tell({ kind: "engine", event: { kind: "apply_complete", address: created.address, ...ended } });
    const failure = error({
      code: "forbidden",
      summary: "Not permitted",
      detail: "…",
      address: updated.address,
    });
    view.tell({
      kind: "engine",
      event: { kind: "apply_errored", address: updated.address, ...ended, diagnostics: [failure] },
    });
    view.applied("normal", { diagnostics: [failure], state: STATE } as unknown as ApplyResult);
    view.stack("billing", 2);
    view.diagnostics([
      error({ code: "state_locked", summary: "State is locked", detail: "By ana on ci-7." }),
    ]);
  });

/** The result of coverage: one project was searched, and one archived project was not. */
const SCAN: CoverageScan = {
  service: "https://git.example.com",
  containers: ["project 42", "project 8"],
  unmanaged: [],
  listing: {
    containers: [],
    archived: [{ kind: "project", id: 8, path: "shop/old", isArchived: true }],
    objects: [],
    failures: [],
    diagnostics: [],
  } as unknown as CoverageScan["listing"],
};

/**
 * Returns the report of a drift run. One object has changed, one has vanished, and two are in sync. One of these two counts
 * as in sync, because an earlier run reported its drift. Coverage also found unmanaged objects.
 */
export const drifted = (): Promise<Report> =>
  reportOf("drift", (view) => {
    view.stack("shop", 1);
    const gone = change({ address: "acme_thing.two", action: "delete", before: { id: "2" }, after: null });
    view.drift(
      {
        drifted: [
          {
            kind: "changed",
            change: updated,
            attributes: ["enabled", "targets"],
            declared: { targets: ["d"] },
          },
          { kind: "vanished", change: gone, attributes: [], declared: {} },
        ],
        objects: [updated, gone, ...objects(2)],
        unchecked: [],
        scans: [SCAN],
        diagnostics: [],
      },
      {
        ignored: [{ name: "acme_thing.three", reason: "until the move is over" }],
        known: [
          { name: "acme_thing.n1", fingerprint: "0123456789abcdef0123" },
          { name: "acme_thing 42:review", fingerprint: "fedcba98765432100123" },
        ],
      },
    );
    view.unmanaged([unmanaged], 2, { ignored: [], known: [] });
  });

/** Returns the report of a drift run that did not finish: two objects are in sync, and one is unchecked. */
export const partlyDrifted = (): Promise<Report> =>
  reportOf("drift", (view) => {
    view.stack("shop", 1);
    const lost = error({
      code: "rights_lost",
      summary: "Object not checked, and kept in the state",
      detail: "The project 42 answers 404.",
      address: unchanged.address,
    });
    view.drift(
      {
        drifted: [],
        objects: objects(2),
        unchecked: [{ object: unchanged, diagnostics: [lost] }],
        scans: [],
        diagnostics: [lost],
      },
      { ignored: [], known: [] },
    );
  });

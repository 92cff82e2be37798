import { HABITS } from "../../src/service/habits";
import { NOT_SERVED } from "../../src/service/habits/not-served";
import type { Habit } from "../../src/service/settings/settings";
import type { Generator } from "./generated-files";
import { code, fence, GENERATED, page, table } from "./markdown";

const PAGE = "docs/live-platform.md";

const START = `npx steward serve --compat observed --fixture examples/quickstart/fixture.yaml --port 8080 > observed.log &
until grep -q "listening on" observed.log; do sleep 0.1; done`;

const IN_TESTS = `// from cdktf-provider-steward/testing
const service = await startService({ compat: "observed", habits: ["lagging-replicas"] });
service.habits.delete("lagging-replicas"); // from the next request on`;

const GROUPS: readonly (readonly [on: Habit["on"], title: string, text: string])[] = [
  [
    "always",
    "On in both modes",
    "These habits were settled for the service. `--without-habit` switches them off.",
  ],
  ["observed", "On with `--compat observed`", "Every instance of the live platform has these habits."],
  [
    "by name",
    "On with `--habit`",
    "These habits depend on the settings, the load or the network of an instance.",
  ],
];

const rows = (on: Habit["on"]) =>
  HABITS.filter((habit) => habit.on === on).map(({ name, does, client, since, sources }) => [
    code(name),
    does,
    client,
    since,
    sources.join("; "),
  ]);

function content(): string {
  return page(
    "# The live platform",
    GENERATED,
    "The specification describes the API of a platform, which is GitLab. The live platform has habits that the specification does not describe. The client expects all of them on every instance.",
    "The embedded service has each habit in a file of `src/service/habits`, and each can be switched:",
    table(
      ["Option of `steward serve`", "In tests", "Effect"],
      [
        [
          "`--compat strict` (the default)",
          '`compat: "strict"`',
          "follows the specification and what was settled",
        ],
        ["`--compat observed`", '`compat: "observed"`', "adds the habits that every instance has"],
        ["`--habit NAME`", "`habits: [NAME]`", "adds one habit; may be given more than once"],
        [
          "`--without-habit NAME`",
          "`withoutHabits: [NAME]`",
          "leaves one habit out; may be given more than once",
        ],
      ],
    ),
    fence("sh", START),
    fence("ts", IN_TESTS),
    "`admin-mode`, `scheduled-deletion` and `enforced-job-token-limit` set an application setting when the service starts; `PUT /application/settings` changes it later. A fixture sets it under `instance`.",
    ...GROUPS.flatMap(([on, title, text]) => [
      `## ${title}`,
      text,
      table(["Habit", "Service", "Client", "Since", "Public source"], rows(on)),
    ]),
    "## Known to the client only",
    table(
      ["Live platform", "Client", "Why the service does not have it", "Public source"],
      NOT_SERVED.map(({ does, client, why, sources }) => [does, client, why, sources.join("; ")]),
    ),
  );
}

/** Generates `docs/live-platform.md` from `src/service/habits`, which describe the behaviour of the live platform. */
export const livePlatformPage = (): Generator => ({
  place: PAGE,
  generate: async () => new Map([[PAGE, content()]]),
});

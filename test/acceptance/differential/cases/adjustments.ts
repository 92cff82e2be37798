import type { Blocks, DifferentialCase } from "../case";

const environment = (project: string, name: string, level = 40): Blocks => ({
  project: `acme/${project}`,
  name,
  deploy_access_levels: [{ access_level: level }],
});

const environments = (declared: Blocks, more: Blocks = {}): Blocks => ({
  resource: { steward_protected_environment: declared },
  ...more,
});

const at = (name: string): string => `steward_protected_environment.${name}`;

/** Blocks that say where objects of the state come from, where they went, and what becomes of them. */
export const adjustments: readonly DifferentialCase[] = [
  {
    name: "moved",
    steps: [
      {
        does: "makes what moves later",
        declares: environments({
          moved: environment("moved", "production"),
          moved_counted: { ...environment("moved", "review-${count.index}"), count: 2 },
          moved_single: environment("moved", "staging"),
        }),
      },
      {
        does: "moves along a chain, with keys and with a change",
        declares: environments(
          {
            moved_now: environment("moved", "production"),
            moved_keyed: { ...environment("moved", "review-${each.value}", 60), for_each: { a: 0, b: 1 } },
            moved_single: { ...environment("moved", "staging"), count: 1 },
          },
          {
            moved: [
              { from: at("moved_between"), to: at("moved_now") },
              { from: at("moved"), to: at("moved_between") },
              { from: at("moved_counted[0]"), to: at('moved_keyed["a"]') },
              { from: at("moved_counted[1]"), to: at('moved_keyed["b"]') },
            ],
          },
        ),
      },
      {
        does: "destroys what moved to nowhere, and what could not move",
        declares: environments(
          { moved_single: environment("moved", "review-2") },
          {
            moved: [
              { from: at("moved_now"), to: at("moved_nowhere") },
              { from: at('moved_keyed["a"]'), to: at("moved_single") },
            ],
          },
        ),
      },
    ],
  },
  {
    name: "moved_alone",
    steps: [
      {
        does: "makes one object",
        declares: environments({ moved_alone: environment("moved_alone", "production") }),
      },
      {
        does: "shows a move in a refresh-only plan",
        mode: "refresh-only",
        declares: environments(
          { moved_alone_now: environment("moved_alone", "production") },
          { moved: { from: at("moved_alone"), to: at("moved_alone_now") } },
        ),
      },
    ],
  },
  ...["is still declared", "goes round", "is ambiguous"].map(
    (why, index): DifferentialCase => ({
      name: `moved_wrong${index}`,
      steps: [
        {
          does: `is refused, as it ${why}`,
          fails: "plan",
          declares: environments(
            { [`moved_wrong${index}`]: environment(`moved_wrong${index}`, "production") },
            {
              moved: [
                [{ from: at(`moved_wrong${index}`), to: at("moved_to") }],
                [
                  { from: at("one"), to: at("other") },
                  { from: at("other"), to: at("one") },
                ],
                [
                  { from: at("one"), to: at("other") },
                  { from: at("one"), to: at("third") },
                ],
              ][index],
            },
          ),
        },
      ],
    }),
  ),
  {
    name: "removed",
    steps: [
      {
        does: "makes three objects",
        declares: environments({
          removed_kept: environment("removed", "production"),
          removed_gone: environment("removed", "staging"),
          removed_moved: environment("removed", "review"),
        }),
      },
      {
        does: "forgets two and destroys one",
        declares: {
          removed: [
            { from: at("removed_kept"), lifecycle: { destroy: false } },
            { from: at("removed_gone") },
            { from: at("removed_elsewhere"), lifecycle: [{ destroy: false }] },
          ],
          moved: [{ from: at("removed_moved"), to: at("removed_elsewhere") }],
        },
      },
    ],
  },
  {
    name: "imported",
    steps: [
      {
        does: "takes over what is there, one by one and with for_each",
        byHand: async (http) => {
          for (const name of ["production", "staging", "review"])
            await http("POST", "/projects/acme%2Fimported/protected_environments", {
              name,
              deploy_access_levels: [{ access_level: 40 }],
            });
        },
        declares: environments(
          {
            imported: environment("imported", "production"),
            imported_each: {
              ...environment("imported", "${each.key}", 60),
              for_each: '${toset(["staging", "review"])}',
            },
          },
          {
            locals: { imported_ids: { staging: "acme/imported:staging" } },
            import: [
              { to: at("imported"), id: "acme/imported:production" },
              { for_each: "${local.imported_ids}", to: at("imported_each[each.key]"), id: "${each.value}" },
              { to: at('imported_each["review"]'), id: "acme/imported:review" },
            ],
          },
        ),
      },
    ],
  },
  ...[
    { to: at("imported_none"), id: "acme/imported_wrong0:production" },
    { to: at("imported_wrong1[0]"), id: "acme/imported_wrong1:production" },
    { to: at("imported_wrong2"), id: "acme/imported_wrong2:production" },
    { to: at("imported_wrong3"), id: "" },
  ].map(
    (block, index): DifferentialCase => ({
      name: `imported_wrong${index}`,
      steps: [
        {
          does: "is refused",
          fails: "plan",
          declares: environments(
            { [`imported_wrong${index}`]: environment(`imported_wrong${index}`, "production") },
            { import: block },
          ),
        },
      ],
    }),
  ),
];

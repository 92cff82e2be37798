import { z } from "zod";
import { LEVEL, notExpired } from "../access/roles";
import type { AccessRule } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { TEMPLATE_WORDS } from "../habits/public-template-word";
import { forbidden, found } from "../http/errors";
import { type Database, hasRow, insert } from "../store/database";
import { loadInOrder } from "../store/selection";

interface Template {
  readonly key: string;
  /** The name of the template. Default: the key. */
  readonly name?: string | undefined;
  readonly content: string;
}

/** The templates of an instance whose fixture declares no templates. */
const DEFAULT_TEMPLATES: readonly Template[] = [
  {
    key: "Container-Image",
    content: `# Builds an image of the commit and pushes it to the project's registry.
stages: [build]

image:
  stage: build
  script:
    - docker login -u "$CI_REGISTRY_USER" -p "$CI_JOB_TOKEN" "$CI_REGISTRY"
    - docker build --tag "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA" .
    - docker push "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA"
`,
  },
  {
    key: "Go",
    content: `# Vets, tests and builds a Go module.
stages: [test, build]

test:
  stage: test
  script:
    - go vet ./...
    - go test -race ./...

build:
  stage: build
  script:
    - go build -o bin/ ./...
  artifacts:
    paths: [bin/]
`,
  },
  {
    key: "Node",
    content: `# Installs what the lock file says and runs the tests on two releases of Node.js.
test:
  parallel:
    matrix:
      - NODE: ["22", "24"]
  image: node:$NODE
  script:
    - npm ci
    - npm test
`,
  },
  {
    key: "Pages/Static",
    content: `# Publishes the folder public/ as the project's Pages.
pages:
  stage: deploy
  script:
    - test -d public
  artifacts:
    paths: [public]
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
`,
  },
  {
    key: "Python",
    content: `# Runs the tests of a Python project in a virtual environment.
test:
  image: python:3.13
  script:
    - python -m venv .venv
    - .venv/bin/pip install --editable '.[test]'
    - .venv/bin/pytest
`,
  },
];

export function addTemplates(database: Database, templates: readonly Template[]): void {
  for (const template of templates)
    insert(database, "templates", { ...template, name: template.name ?? template.key }, "OR REPLACE ");
}

/** Adds the default templates if the database contains no templates. */
export function ensureTemplates(database: Database): void {
  if (!hasRow(database, "FROM templates")) database.write(() => addTemplates(database, DEFAULT_TEMPLATES));
}

/** Returns the highest role of a user in any group or project, except the personal namespace. */
const highestRole = (database: Database, userId: number): number =>
  database.one<{ level: number | null }>(
    `SELECT max(m.access_level) AS level FROM members m LEFT JOIN namespaces n ON n.id = m.group_id
      WHERE m.user_id = ? AND (n.kind IS NULL OR n.kind = 'group') AND ${notExpired("m")}`,
    userId,
  )?.level ?? LEVEL.none;

/** The access rule for all users except users whose highest role is Guest (Authentication 6). */
const notGuests: AccessRule<void> = {
  isAnonymous: true,
  refusals: [401, 403],
  who: "Everyone, with or without a token, except users whose highest role is Guest.",
  authorize({ database, caller }) {
    if (caller.user === undefined || caller.user.is_admin === 1) return;
    const role = highestRole(database, caller.user.id);
    if (role > LEVEL.none && role <= LEVEL.guest) throw forbidden();
  },
};

export const templateEndpoints = inSection(
  "CI/CD YAML templates",
  Object.entries(TEMPLATE_WORDS).flatMap(([word, served]) => [
    listEndpoint({
      route: `GET /templates/${word}`,
      summary: "CI/CD YAML templates",
      served,
      access: notGuests,
      entry: z.object({ key: z.string(), name: z.string() }).meta({ id: "TemplateEntry" }),
      handle: ({ database }) => ({
        key: "key",
        from: "templates",
        where: [],
        load: loadInOrder<{ key: string; name: string }>(database, "SELECT key, name FROM templates", "key"),
      }),
    }),
    endpoint({
      route: `GET /templates/${word}/:key`,
      summary: "One CI/CD YAML template",
      served,
      access: notGuests,
      input: { key: z.string() },
      answer: z.object({ name: z.string(), content: z.string() }).meta({ id: "Template" }),
      handle: ({ database, input }) => {
        const sql = "SELECT name, content FROM templates WHERE key = ?";
        return found(database.one<{ name: string; content: string }>(sql, input.key), "Template");
      },
    }),
  ]),
);

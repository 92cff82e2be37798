import { type Database, hasRow, insert } from "../store/database";

interface Template {
  readonly key: string;
  /** Default: the key. */
  readonly name?: string | undefined;
  readonly content: string;
}

/** Templates of an instance whose fixture declares none. */
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

/** Adds the default templates if there are none. */
export function ensureTemplates(database: Database): void {
  if (!hasRow(database, "FROM templates")) database.write(() => addTemplates(database, DEFAULT_TEMPLATES));
}

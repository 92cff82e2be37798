/**
 * The schema of the first release. Timestamps are RFC 3339 texts in UTC, so they sort as texts. Booleans are 0 and
 * 1. Names that must be unique in any case are `COLLATE NOCASE`.
 */
export const FIRST_SCHEMA = `
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE namespaces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('group', 'user')),
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  full_path TEXT NOT NULL COLLATE NOCASE UNIQUE,
  parent_id INTEGER REFERENCES namespaces ON DELETE CASCADE,
  description TEXT,
  visibility TEXT NOT NULL DEFAULT 'private',
  created_at TEXT NOT NULL
);
CREATE INDEX namespaces_by_parent ON namespaces (parent_id);
CREATE INDEX namespaces_by_name ON namespaces (name, id);

CREATE TABLE namespace_ancestors (
  namespace_id INTEGER NOT NULL REFERENCES namespaces ON DELETE CASCADE,
  ancestor_id INTEGER NOT NULL REFERENCES namespaces ON DELETE CASCADE,
  PRIMARY KEY (namespace_id, ancestor_id)
) WITHOUT ROWID;
CREATE INDEX namespace_descendants ON namespace_ancestors (ancestor_id, namespace_id);

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name TEXT NOT NULL,
  email TEXT NOT NULL COLLATE NOCASE UNIQUE,
  state TEXT NOT NULL DEFAULT 'active',
  is_admin INTEGER NOT NULL DEFAULT 0,
  external INTEGER NOT NULL DEFAULT 0,
  bot INTEGER NOT NULL DEFAULT 0,
  two_factor_enabled INTEGER NOT NULL DEFAULT 0,
  private_profile INTEGER NOT NULL DEFAULT 0,
  can_create_group INTEGER NOT NULL DEFAULT 1,
  projects_limit INTEGER NOT NULL DEFAULT 100000,
  profile TEXT NOT NULL DEFAULT '{}',
  namespace_id INTEGER NOT NULL REFERENCES namespaces,
  enterprise_group_id INTEGER REFERENCES namespaces ON DELETE SET NULL,
  created_at TEXT NOT NULL,
  confirmed_at TEXT
);
CREATE INDEX users_by_name ON users (name, id);
CREATE INDEX users_by_enterprise_group ON users (enterprise_group_id);

CREATE TABLE identities (
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  provider TEXT NOT NULL,
  extern_uid TEXT NOT NULL,
  saml_provider_id INTEGER,
  UNIQUE (provider, extern_uid)
);
CREATE INDEX identities_by_user ON identities (user_id);

CREATE TABLE scim_identities (
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  group_id INTEGER NOT NULL REFERENCES namespaces ON DELETE CASCADE,
  extern_uid TEXT NOT NULL,
  active INTEGER NOT NULL,
  UNIQUE (group_id, extern_uid)
);
CREATE INDEX scim_identities_by_user ON scim_identities (user_id);

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL,
  lookup TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  expires_at TEXT,
  revoked INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL
);
CREATE INDEX tokens_by_lookup ON tokens (lookup);

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  namespace_id INTEGER NOT NULL REFERENCES namespaces ON DELETE CASCADE,
  name TEXT NOT NULL,
  path TEXT NOT NULL COLLATE NOCASE,
  description TEXT,
  visibility TEXT NOT NULL DEFAULT 'private',
  default_branch TEXT NOT NULL DEFAULT 'main',
  archived INTEGER NOT NULL DEFAULT 0,
  topics TEXT NOT NULL DEFAULT '[]',
  star_count INTEGER NOT NULL DEFAULT 0,
  creator_id INTEGER REFERENCES users,
  inbound_enabled INTEGER NOT NULL DEFAULT 1,
  outbound_enabled INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  last_activity_at TEXT NOT NULL,
  UNIQUE (namespace_id, path)
);

CREATE TRIGGER project_takes_no_group_path BEFORE INSERT ON projects
WHEN EXISTS (SELECT 1 FROM namespaces WHERE parent_id = NEW.namespace_id AND path = NEW.path COLLATE NOCASE)
BEGIN SELECT RAISE(ABORT, 'path taken by a group'); END;
CREATE TRIGGER project_moves_to_no_group_path BEFORE UPDATE OF path ON projects
WHEN EXISTS (SELECT 1 FROM namespaces WHERE parent_id = NEW.namespace_id AND path = NEW.path COLLATE NOCASE)
BEGIN SELECT RAISE(ABORT, 'path taken by a group'); END;
CREATE TRIGGER group_takes_no_project_path BEFORE INSERT ON namespaces
WHEN EXISTS (SELECT 1 FROM projects WHERE namespace_id = NEW.parent_id AND path = NEW.path)
BEGIN SELECT RAISE(ABORT, 'path taken by a project'); END;

CREATE TABLE redirects (
  full_path TEXT PRIMARY KEY COLLATE NOCASE,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX redirects_by_project ON redirects (project_id);

CREATE TABLE member_roles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  group_id INTEGER REFERENCES namespaces ON DELETE CASCADE,
  name TEXT NOT NULL,
  base_access_level INTEGER NOT NULL
);

CREATE TABLE members (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER REFERENCES projects ON DELETE CASCADE,
  group_id INTEGER REFERENCES namespaces ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  access_level INTEGER NOT NULL,
  expires_at TEXT,
  member_role_id INTEGER REFERENCES member_roles ON DELETE SET NULL,
  created_by_id INTEGER REFERENCES users,
  created_at TEXT NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL)),
  UNIQUE (project_id, user_id),
  UNIQUE (group_id, user_id)
);
CREATE INDEX members_by_user ON members (user_id);

CREATE TABLE shares (
  project_id INTEGER REFERENCES projects ON DELETE CASCADE,
  shared_group_id INTEGER REFERENCES namespaces ON DELETE CASCADE,
  group_id INTEGER NOT NULL REFERENCES namespaces ON DELETE CASCADE,
  group_access INTEGER NOT NULL,
  expires_at TEXT,
  CHECK ((project_id IS NULL) <> (shared_group_id IS NULL)),
  UNIQUE (project_id, group_id),
  UNIQUE (shared_group_id, group_id)
);
CREATE INDEX shares_by_group ON shares (group_id);

CREATE TABLE allowlist_projects (
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  target_project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  PRIMARY KEY (project_id, target_project_id)
) WITHOUT ROWID;
CREATE INDEX allowlist_projects_by_target ON allowlist_projects (target_project_id);

CREATE TABLE allowlist_groups (
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  target_group_id INTEGER NOT NULL REFERENCES namespaces ON DELETE CASCADE,
  PRIMARY KEY (project_id, target_group_id)
) WITHOUT ROWID;
CREATE INDEX allowlist_groups_by_target ON allowlist_groups (target_group_id);

CREATE TABLE environments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  name TEXT NOT NULL,
  external_url TEXT,
  tier TEXT NOT NULL DEFAULT 'other',
  description TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (project_id, name)
);

CREATE TABLE protected_environments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  name TEXT NOT NULL,
  required_approval_count INTEGER NOT NULL DEFAULT 0,
  UNIQUE (project_id, name)
);

CREATE TABLE environment_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  protected_environment_id INTEGER NOT NULL REFERENCES protected_environments ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('deploy', 'approval')),
  access_level INTEGER,
  user_id INTEGER REFERENCES users ON DELETE CASCADE,
  group_id INTEGER REFERENCES namespaces ON DELETE CASCADE,
  group_inheritance_type INTEGER NOT NULL DEFAULT 0,
  required_approvals INTEGER NOT NULL DEFAULT 1,
  CHECK ((access_level IS NOT NULL) + (user_id IS NOT NULL) + (group_id IS NOT NULL) = 1)
);
CREATE INDEX environment_rules_by_environment ON environment_rules (protected_environment_id, kind);

CREATE TABLE pages_settings (
  project_id INTEGER PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  unique_domain_enabled INTEGER NOT NULL DEFAULT 0,
  https_only INTEGER NOT NULL DEFAULT 1,
  primary_domain TEXT
);
CREATE TABLE pages_domains (
  domain TEXT PRIMARY KEY COLLATE NOCASE,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX pages_domains_by_project ON pages_domains (project_id);
CREATE TABLE pages_deployments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  path_prefix TEXT NOT NULL,
  root_directory TEXT,
  UNIQUE (project_id, path_prefix)
);

CREATE TABLE templates (key TEXT PRIMARY KEY COLLATE NOCASE, name TEXT NOT NULL, content TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE container_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects ON DELETE CASCADE,
  repository_path_pattern TEXT NOT NULL,
  minimum_access_level_for_push TEXT,
  minimum_access_level_for_delete TEXT,
  UNIQUE (project_id, repository_path_pattern)
);

CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER REFERENCES projects ON DELETE CASCADE,
  group_id INTEGER REFERENCES namespaces ON DELETE CASCADE,
  email TEXT NOT NULL COLLATE NOCASE,
  queued_user_id INTEGER REFERENCES users ON DELETE CASCADE,
  access_level INTEGER NOT NULL,
  expires_at TEXT,
  member_role_id INTEGER REFERENCES member_roles ON DELETE SET NULL,
  invite_source TEXT,
  created_by_id INTEGER REFERENCES users,
  created_at TEXT NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL)),
  UNIQUE (project_id, email),
  UNIQUE (group_id, email)
);
`;

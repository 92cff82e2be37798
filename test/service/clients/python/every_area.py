"""Drives a service with python-gitlab: `every_area.py URL TOKEN`. Fails at the first answer that is not as it should be."""

import sys

import gitlab

url, token = sys.argv[1:3]


def fails(status, call, *arguments, **named):
    """Whether a call is refused with this status."""
    try:
        call(*arguments, **named)
    except gitlab.exceptions.GitlabError as error:
        assert error.response_code == status, (error.response_code, status)
        return True
    return False


for client in (gitlab.Gitlab(url, private_token=token), gitlab.Gitlab(url, oauth_token=token)):
    client.auth()
    assert client.user.username == "root"

assert client.version()[0].startswith("18.")
settings = client.settings.get()
settings.enable_member_promotion_management = False
settings.save()

project = client.projects.get("acme/web")
assert project.id == 1

scope = project.job_token_scope.get()
assert scope.inbound_enabled is True
scope.enabled = False
scope.save()
scope.refresh()
assert scope.inbound_enabled is False
scope.allowlist.create({"target_project_id": 2})
assert [entry.id for entry in scope.allowlist.list(iterator=True)] == [1, 2]
scope.allowlist.delete(2)
assert fails(404, scope.allowlist.delete, 2)
scope.groups_allowlist.create({"target_group_id": 101})
assert [entry.name for entry in scope.groups_allowlist.list(get_all=True)] == ["platform"]
scope.groups_allowlist.delete(101)

environments = project.protected_environments
created = environments.create(
    {
        "name": "review/one",
        "deploy_access_levels": [{"access_level": 40}],
        "approval_rules": [{"group_id": 102, "required_approvals": 2}],
    }
)
assert created.approval_rules[0]["required_approvals"] == 2
assert environments.get("review/one").deploy_access_levels[0]["access_level"] == 40
client.http_put("/projects/1/protected_environments/review%2Fone", post_data={"approval_rules": []})
assert len(environments.list(get_all=True)) == 1
environments.delete("review/one")
assert environments.list(get_all=True) == []

pages = project.pages.get()
assert pages.deployments == []
assert project.pages.update(new_data={"pages_https_only": False})["force_https"] is False
project.pages.delete()
project.pagesdomains.create({"domain": "web.example.com"})

templates = client.gitlabciymls.list(get_all=True)
assert "script:" in client.gitlabciymls.get(templates[0].get_id()).content

rules = project.registry_protection_repository_rules
rule = rules.create({"repository_path_pattern": "acme/*", "minimum_access_level_for_push": "owner"})
rules.update(rule.id, {"minimum_access_level_for_delete": "admin"})
assert [one.minimum_access_level_for_delete for one in rules.list(get_all=True)] == ["admin"]
assert fails(422, rules.create, {"repository_path_pattern": "acme/*", "minimum_access_level_for_push": "owner"})
client.http_delete(f"/projects/1/registry/protection/repository/rules/{rule.id}")
assert rules.list(get_all=True) == []

group = client.groups.get("acme/platform")
for place in (project, group):
    place.invitations.create({"email": "a@example.com", "access_level": 30})
    assert fails(400, place.invitations.create, {"email": "b@example.com", "access_level": 35})
    place.invitations.update("a@example.com", {"access_level": 20, "expires_at": "2999-12-31"})
    assert [one.access_level for one in place.invitations.list(get_all=True)] == [20]
    place.invitations.delete("a@example.com")
    member = place.members.create({"user_id": 21, "access_level": 20})
    assert place.members_all.get(member.id).access_level == 20
    place.members.delete(member.id)

assert client.http_list("/groups/acme/enterprise_users", query_data={"two_factor": "enabled"}, get_all=True) != []

fresh = client.projects.create({"name": "Fresh", "namespace_id": 100, "topics": ["new"]})
fresh.path = "fresher"
fresh.save()
assert [one.path for one in client.projects.list(search="fresher", archived=False, get_all=True)] == ["fresher"]
assert len(client.projects.list(pagination="keyset", order_by="id", sort="asc", per_page=3, get_all=True)) == 7
fresh.share(102, 30)
fresh.environments.create({"name": "staging", "tier": "staging"})
assert [one.name for one in fresh.environments.list(get_all=True)] == ["staging"]
fresh.delete()
subgroup = client.groups.create({"name": "Sub", "path": "sub", "parent_id": 100})
assert [one.full_path for one in client.groups.list(search="sub", get_all=True)] == ["acme/sub"]
subgroup.delete()
user = client.users.create({"username": "ivy", "name": "Ivy", "email": "ivy@example.com", "password": "not kept"})
hers = gitlab.Gitlab(url, private_token=user.personal_access_tokens.create({"name": "ci", "scopes": ["read_api"]}).token)
hers.auth()
assert [one.id for one in client.users.list(username="ivy", get_all=True)] == [hers.user.id]

print("every area answered")

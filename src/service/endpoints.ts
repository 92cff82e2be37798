import { environmentEndpoints } from "./areas/environments/endpoints";
import { groupEndpoints } from "./areas/groups/endpoints";
import { instanceEndpoints } from "./areas/instance/endpoints";
import { jobTokenScopeEndpoints } from "./areas/job-token-scope/endpoints";
import { memberEndpoints } from "./areas/members/endpoints";
import { projectEndpoints } from "./areas/projects/endpoints";
import { protectedEnvironmentEndpoints } from "./areas/protected-environments/endpoints";
import { userEndpoints } from "./areas/users/endpoints";
import type { Endpoint } from "./http/endpoint";

/** Every endpoint below `/api/v4`. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...instanceEndpoints,
  ...userEndpoints,
  ...groupEndpoints,
  ...projectEndpoints,
  ...memberEndpoints,
  ...environmentEndpoints,
  ...jobTokenScopeEndpoints,
  ...protectedEnvironmentEndpoints,
];

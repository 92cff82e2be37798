import { containerRuleEndpoints } from "../areas/container-rules";
import { environmentEndpoints } from "../areas/environments";
import { groupEndpoints } from "../areas/groups";
import { documentEndpoint, instanceEndpoints } from "../areas/instance";
import { invitationEndpoints } from "../areas/invitations";
import { issueEndpoints } from "../areas/issues";
import { jobTokenScopeEndpoints } from "../areas/job-token-scope";
import { jobEndpoints } from "../areas/jobs";
import { memberEndpoints } from "../areas/members";
import { mergeRequestNoteEndpoints } from "../areas/merge-request-notes";
import { mergeRequestEndpoints } from "../areas/merge-requests";
import { noteReactionEndpoints } from "../areas/note-reactions";
import { pagesEndpoints } from "../areas/pages";
import { pipelineEndpoints } from "../areas/pipelines";
import { projectEndpoints } from "../areas/projects";
import { protectedEnvironmentEndpoints } from "../areas/protected-environments";
import { pushEndpoints } from "../areas/pushes";
import { faultEndpoints, stewardEndpoints } from "../areas/steward";
import { templateEndpoints } from "../areas/templates";
import { terraformStateEndpoints } from "../areas/terraform-states";
import { enterpriseUserEndpoints, userEndpoints } from "../areas/users";
import type { Endpoint } from "../endpoint/endpoint";
import { Faults } from "../endpoint/faults";
import { openApiDocument } from "../endpoint/openapi";
import { chosen, DEFAULT_SETTINGS, type ServiceSettings } from "../settings/settings";

/** Endpoints of the specification first, then the additional ones. */
const ENDPOINTS: readonly Endpoint[] = [
  ...jobTokenScopeEndpoints,
  ...protectedEnvironmentEndpoints,
  ...pagesEndpoints,
  ...templateEndpoints,
  ...containerRuleEndpoints,
  ...invitationEndpoints,
  ...enterpriseUserEndpoints,
  ...userEndpoints,
  ...instanceEndpoints,
  ...groupEndpoints,
  ...projectEndpoints,
  ...memberEndpoints,
  ...environmentEndpoints,
  ...terraformStateEndpoints,
  ...mergeRequestEndpoints,
  ...mergeRequestNoteEndpoints,
  ...noteReactionEndpoints,
  ...pushEndpoints,
  ...pipelineEndpoints,
  ...jobEndpoints,
  ...issueEndpoints,
  ...stewardEndpoints,
];

/** All endpoints, including those for faults, which are served only if `allowFaults` is set. */
const documented = (): readonly Endpoint[] => [...ENDPOINTS, ...DOCUMENT, ...faultEndpoints(new Faults())];

const DOCUMENT = documentEndpoint(() => openApiDocument(documented()));

/** The route table of an instance. */
export const endpointTable = (
  faults: Faults | undefined,
  settings: Pick<ServiceSettings, "habits"> = DEFAULT_SETTINGS,
): readonly Endpoint[] => [
  ...ENDPOINTS.filter(({ served }) => served === undefined || chosen(settings, served)),
  ...DOCUMENT,
  ...(faults === undefined ? [] : faultEndpoints(faults)),
];

/** The OpenAPI document as it is kept in `docs/openapi.json`. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(documented()), null, 2)}\n`;

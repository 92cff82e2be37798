/**
 * The codes of requests to the service, in `src/http` and `src/api`. Each code has a meaning, a fix, and the
 * summary of its errors. `docs/errors.md` contains the meaning and the fix.
 */
export const API_CODES = {
  missing_base_url: [
    "The address of the service is not set.",
    "Set base_url in the configuration, or set STEWARD_BASE_URL or CI_API_V4_URL in the environment.",
    "Address of the service is not set",
  ],
  missing_token: [
    "No access token is set.",
    "Set token or token_file in the configuration, or set STEWARD_TOKEN or STEWARD_TOKEN_FILE in the environment.",
    "No access token",
  ],
  invalid_option: ["An option of the client is invalid.", "Set a valid value.", "Invalid option"],
  unreadable_file: [
    "A file that an option of the client names can't be read.",
    "Check the path and the file's permissions.",
    "File can't be read",
  ],
  token_file_permissions: [
    "Other users of this machine can read or write the token's file. A writer chooses the identity of Steward.",
    "Restrict the file to its owner: chmod 600 FILE. With CI=true, a writable file is only a warning.",
    "Token file is open to other users",
  ],
  plain_http_refused: [
    "The service's address is plain HTTP on another machine. The token would be sent unencrypted.",
    "Use https, or allow this host with allow_plain_http.",
    "Token would be sent unencrypted",
  ],
  invalid_argument: [
    "An operation was called with an argument that the API does not accept. Nothing was sent.",
    "Pass a valid value.",
    "Argument not accepted by the API",
  ],
  bad_request: [
    "The service rejects the request as malformed (400).",
    "Change the value that the service rejects.",
    "Malformed request (400)",
  ],
  unauthorized: [
    "The service does not accept the token (401).",
    "Check that the token belongs to this service, has not expired, and was not revoked.",
    "Token not accepted (401)",
  ],
  forbidden: [
    "The token's user does not have the permission for the request (403).",
    "Give the user the role that the operation needs, or use another user's token.",
    "Permission denied (403)",
  ],
  feature_off: [
    "The feature is off, or not part of the service's licence (403).",
    "Enable the feature, or remove the declarations that need it. Another role does not help.",
    "Feature is off or not licensed (403)",
  ],
  insufficient_scope: [
    "The token's scopes don't allow the request (403).",
    "Use a token with the scope api. For reads, read_api is enough.",
    "Token lacks a scope (403)",
  ],
  not_found: [
    "The object does not exist, or the token can't see it (404).",
    "Check the id or path. Check that the token's user can see the object.",
    "Object not found (404)",
  ],
  method_not_allowed: [
    "The service accepts no changes at this address (405). Nothing was changed.",
    "If the project moved, use its numeric id or new path. Otherwise check base_url and the service's release.",
    "Changes not accepted at this address (405)",
  ],
  no_api: [
    "The address of the service does not lead to an API.",
    "Set base_url to the address of the service, with or without /api/v4.",
    "No API at this address",
  ],
  conflict: [
    "The request conflicts with the current state of the service (409).",
    "Resolve the conflict that the service reports, then try again.",
    "Conflict on the service (409)",
  ],
  already_there: [
    "The object to create already exists (400, 409 or 422, depending on the operation).",
    "Use the existing object, or delete it first.",
    "Object already exists",
  ],
  unprocessable: [
    "The service rejects a value of the request (422).",
    "Change the value that the service rejects.",
    "Value rejected by the service (422)",
  ],
  uri_too_long: [
    "The path and query of a request are longer than the service accepts (414).",
    "Use shorter names or fewer filters.",
    "Request address is too long (414)",
  ],
  rate_limited: [
    "The service rejected every attempt because of its rate limit (429), or announced a pause of more than five minutes.",
    "Wait, lower max_concurrency, or ask for a higher limit.",
    "Rate limit exceeded (429)",
  ],
  service_unavailable: [
    "The service, or a proxy in front of it, is unavailable (502, 503, 504).",
    "Try again later.",
    "Service unavailable",
  ],
  service_failed: [
    "The service failed while it handled the request (500).",
    "If a read failed, run the command again later. After a change, first check the live object.",
    "Service failed (500)",
  ],
  unexpected_status: [
    "The service responded with a status that the API does not document for this operation.",
    "Check base_url, and the release of the service.",
    "Undocumented response status",
  ],
  unexpected_answer: [
    "The service's response does not have the documented format.",
    "Check base_url. Check that no proxy responds instead of the service.",
    "Unexpected response",
  ],
  list_changing: [
    "The list changes each time it is read.",
    "Run the command again after other changes. Otherwise check that the service lists objects in a fixed order.",
    "List keeps changing",
  ],
  redirect_refused: [
    "The service responded with a redirect that the client does not follow.",
    "If the object moved, use its new path. Otherwise check base_url and the token.",
    "Redirect not followed",
  ],
  unreachable: [
    "The client could not connect to the service. Nothing was sent.",
    "Check base_url, the network, proxies and certificates.",
    "No connection to the service",
  ],
  connection_lost: [
    "The connection broke before the response to a read was complete.",
    "Try again. If it keeps failing, check the network and the proxies.",
    "Connection lost",
  ],
  lost_answer: [
    "A change was sent and its response was lost. The service may have executed it.",
    "Check the live object before you send the change again.",
    "Response to a change was lost",
  ],
  timeout: [
    "The service did not respond to a read in time.",
    "Try again, or raise request_timeout or total_timeout.",
    "No response in time",
  ],
  cancelled: [
    "The operation was cancelled by the caller.",
    "Before you repeat a change, check the live object: the service may have executed the change.",
    "Operation cancelled",
  ],
} as const;

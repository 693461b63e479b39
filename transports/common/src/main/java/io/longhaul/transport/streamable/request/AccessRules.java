// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable.request;

import io.longhaul.protocol.transport.PrincipalResolver;

/**
 * The rules that decide which requests are served, and on whose behalf.
 *
 * @param policy     the allowed hosts and origins
 * @param principals finds the principal of a request that passes the policy
 */
public record AccessRules(OriginPolicy policy, PrincipalResolver principals) {}

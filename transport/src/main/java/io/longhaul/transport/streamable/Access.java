// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transport.streamable;

import io.longhaul.protocol.transport.PrincipalResolver;

/**
 * Which requests are served, and on whose behalf.
 *
 * @param policy     which hosts may be asked for, and which pages may ask
 * @param principals finds the principal of a request that passes the policy
 */
public record Access(OriginPolicy policy, PrincipalResolver principals) {}

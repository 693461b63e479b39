// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.plan;

import org.jspecify.annotations.Nullable;

/**
 * What a part of a result comes with, by which a client asks for the next part.
 *
 * @param inMeta whether the token goes into {@code _meta}
 * @param task   the id of the task for other verbs; null where the client is not told it
 */
public record PartToken(
        String token, boolean inMeta, @Nullable String task) {}

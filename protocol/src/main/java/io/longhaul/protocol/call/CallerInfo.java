// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.call;

import io.longhaul.protocol.transport.Principal;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a call, as its handler sees the caller. Of a task it is who created the task, also after a restart.
 * Immutable.
 *
 * @param principal     on whose behalf the call is made; a task belongs to this principal
 * @param scopes        that the authorization of the call grants, with all that they imply; none where the server tells
 *                      no scopes apart
 * @param clientName    what the client calls itself, cut to 200 characters, or null: never to be trusted
 * @param clientVersion likewise
 * @param headers       those of the HTTP request that the deployer lets through, by their names as the deployer writes
 *                      them; none over stdio. A caller writes what it likes into a header, unless a proxy overwrites it
 */
public record CallerInfo(
        Principal principal,
        Set<String> scopes,
        @Nullable String clientName,
        @Nullable String clientVersion,
        Map<String, String> headers) {

    private static final int LONGEST = 200;

    public CallerInfo {
        scopes = Set.copyOf(scopes);
        headers = Map.copyOf(headers);
        clientName = cut(clientName);
        clientVersion = cut(clientVersion);
    }

    private static @Nullable String cut(@Nullable String text) {
        return text == null || text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file;

import io.longhaul.gateway.Upstream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A server behind this one.
 *
 * @param name    by which the file names the server
 * @param command the command to start; empty for a server at an address
 * @param made    makes the upstream of a gateway from the environment, with secrets
 */
public record UpstreamEntry(
        String name, Optional<List<String>> command, Function<Map<String, String>, Upstream> made) {}

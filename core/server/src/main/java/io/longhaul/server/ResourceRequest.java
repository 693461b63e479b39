// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The request to read a resource.
 *
 * @param uri       the URI as the client sent it
 * @param variables the decoded variables of the matching template; empty for a resource without a template. A value can
 *                  contain any character, such as {@code /} or {@code ..}: do not trust it as a path, see {@link #file}
 */
public record ResourceRequest(String uri, Map<String, String> variables) {

    public ResourceRequest {
        variables = Map.copyOf(variables);
    }

    /**
     * The file within {@code folder} that a variable names by a path with {@code /}. The file need not exist.
     *
     * @return empty where the path leads out of the folder, by {@code ..}, as an absolute path or over a link
     * @throws IllegalArgumentException where the URI has no variable of that name
     */
    public Optional<Path> file(String name, Path folder) {
        try {
            Path root = folder.toRealPath();
            Path file = root.resolve(variable(name)).normalize();
            Path known = file;
            while (known != null && !Files.exists(known, LinkOption.NOFOLLOW_LINKS)) {
                known = known.getParent();
            }
            boolean inside =
                    file.startsWith(root) && known != null && known.toRealPath().startsWith(root);
            return inside ? Optional.of(file) : Optional.empty();
        } catch (InvalidPathException | IOException e) {
            return Optional.empty();
        }
    }

    /**
     * The value of a variable.
     *
     * @throws IllegalArgumentException where the URI has no variable of that name
     */
    public String variable(String name) {
        String value = variables.get(name);
        if (value == null) {
            throw new IllegalArgumentException("'" + uri + "' has no variable '" + name + "'");
        }
        return value;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.longhaul.gateway.feature;

import io.longhaul.gateway.link.UpstreamServer;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Chooses the names under which a gateway serves the features of upstreams. */
final class ServedNames {

    private static final int LONGEST = 128;
    private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9_.-]");

    private ServedNames() {}

    /**
     * The name of a tool or prompt: the prefix of the upstream, if any, and the own name. Where that name is taken, the
     * name of the upstream is put before it.
     *
     * @return empty where that name is taken, too
     */
    static Optional<String> of(UpstreamServer upstream, String own, Predicate<String> isTaken) {
        return named(upstream, own, upstream.offer().prefixed(own), isTaken);
    }

    /** As {@link #of}, but for the other name of a tool, where it has one. */
    static Optional<String> ofTool(UpstreamServer upstream, String own, Predicate<String> isTaken) {
        return named(upstream, own, upstream.offer().toolName(own), isTaken);
    }

    private static Optional<String> named(
            UpstreamServer upstream, String own, String wanted, Predicate<String> isTaken) {
        var first = cleaned(wanted);
        if (!first.isEmpty() && !isTaken.test(first)) {
            return Optional.of(first);
        }
        return Optional.of(cleaned(upstream.name() + "_" + own)).filter(isTaken.negate());
    }

    /**
     * A resource keeps its address, because results of tools refer to it: the first upstream with an address has it.
     */
    static Optional<String> ofAddress(UpstreamServer upstream, String own, Predicate<String> isTaken) {
        return Optional.of(own).filter(isTaken.negate());
    }

    /** "Tool names SHOULD be between 1 and 128 characters", of letters, digits, underscores, hyphens and dots. */
    private static String cleaned(String name) {
        var clean = OTHER.matcher(name).replaceAll("_");
        return clean.substring(0, Math.min(clean.length(), LONGEST));
    }
}

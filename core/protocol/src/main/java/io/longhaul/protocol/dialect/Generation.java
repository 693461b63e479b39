// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.dialect;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One published design for long-running calls, which a client can choose. The revisions come first, newest first and
 * with {@link #NEXT} among them: sessions and requests negotiate these. Overlays follow, which are used in sessions of
 * a revision.
 */
public enum Generation {
    V2026_07_28(Revision.V2026_07_28),
    V2025_11_25(Revision.V2025_11_25),
    /** The version of the reference implementation of SEP-1391: 2025-06-18, and operations. */
    NEXT(Revision.V2025_06_18.next("next"), "sep-1391"),
    V2025_06_18(Revision.V2025_06_18),
    V2025_03_26(Revision.V2025_03_26),
    V2024_11_05(Revision.V2024_11_05),
    /** Tasks that any request can ask for, as in the first form of SEP-1686. */
    SEP_1686(V2025_06_18, "sep-1686"),
    /** Calls that sessions join and wait for, of the draft with the methods {@code tools/async/…}. */
    TOOLS_ASYNC(V2025_06_18, "tools-async"),
    /** Calls that are repeated with a token until an answer has no token. */
    SEP_1003(V2025_06_18, "sep-1003");

    private static final List<Generation> VERSIONS =
            Arrays.stream(values()).filter(generation -> !generation.overlay).toList();
    private static final Map<String, Generation> BY_VERSION =
            VERSIONS.stream().collect(Collectors.toUnmodifiableMap(Generation::version, version -> version));

    private final Revision revision;
    private final String label;
    private final boolean overlay;

    Generation(Revision revision) {
        this(revision, revision.version());
    }

    Generation(Revision revision, String label) {
        this.revision = revision;
        this.label = label;
        this.overlay = false;
    }

    Generation(Generation session, String label) {
        this.revision = session.revision;
        this.label = label;
        this.overlay = true;
    }

    /** The protocol version as messages spell it; for an overlay, the version of its sessions. */
    public String version() {
        return revision.version();
    }

    /** The revision of the messages; for an overlay, the revision of its sessions. */
    public Revision revision() {
        return revision;
    }

    /** The name of the generation for people; for a revision, its version. */
    public String label() {
        return label;
    }

    /** Whether the generation is a revision of the specification, rather than a draft or a proposal. */
    public boolean isPublished() {
        return label.equals(version());
    }

    /** Whether the generation is used in sessions of another generation; sessions never negotiate an overlay. */
    public boolean isOverlay() {
        return overlay;
    }

    /** The generations that sessions and requests can negotiate, newest first. */
    public static List<Generation> versions() {
        return VERSIONS;
    }

    /** The generation of a protocol version, or empty where we do not speak it. */
    public static Optional<Generation> of(String version) {
        return Optional.ofNullable(BY_VERSION.get(version));
    }

    /** The generation with this label, or empty where there is none. */
    public static Optional<Generation> named(String label) {
        return Arrays.stream(values())
                .filter(generation -> generation.label.equals(label))
                .findFirst();
    }

    /** The label. */
    @Override
    public String toString() {
        return label;
    }
}

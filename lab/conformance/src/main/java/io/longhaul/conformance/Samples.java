// SPDX-License-Identifier: Apache-2.0
package io.longhaul.conformance;

/** What several fixtures give. */
final class Samples {

    /** A picture of one red point. */
    static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAA" + "AABJRU5ErkJggg==";

    /** A sound of no length. */
    static final String WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

    private Samples() {}
}

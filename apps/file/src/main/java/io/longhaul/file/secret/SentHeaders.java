// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.secret;

import io.longhaul.file.tree.Binder;
import java.util.Map;

/** The headers of requests, by their names: with fixed texts, and with secrets. */
public record SentHeaders(
        @Binder.Named("headers") Map<String, String> texts,
        @Binder.Named("headers") Map<String, HeaderSecret> secrets) {}

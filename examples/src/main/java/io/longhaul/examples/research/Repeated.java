// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.research;

import java.util.List;

/** A part of a text that stands in several documents. */
record Repeated(String text, List<String> documents) {}

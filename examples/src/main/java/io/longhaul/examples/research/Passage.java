// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.research;

/** A paragraph of a document. */
record Passage(String document, String text) {}

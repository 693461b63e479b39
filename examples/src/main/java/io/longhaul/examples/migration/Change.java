// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.migration;

/** How many calls were replaced, in how many files. */
record Change(int files, int calls) {}

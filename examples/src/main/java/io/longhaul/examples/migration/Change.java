// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.migration;

/** The numbers of replaced calls and of changed files. */
record Change(int files, int calls) {}

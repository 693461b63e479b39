// SPDX-License-Identifier: Apache-2.0
package io.longhaul.examples.migration;

/**
 * The numbers of changed files and of replaced calls.
 *
 * @param commit of the change, on no branch yet; empty where nothing was replaced
 */
record Change(int files, int calls, String commit) {}

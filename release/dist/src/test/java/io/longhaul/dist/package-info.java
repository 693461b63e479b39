// SPDX-License-Identifier: Apache-2.0
/** What is shown of the release: its files, its start, and the first page of the documentation. */
package io.longhaul.dist;

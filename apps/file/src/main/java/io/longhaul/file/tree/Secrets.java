// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.tree;

import java.util.List;
import java.util.Map;

/**
 * Where a file of tools says that its secrets are.
 *
 * @param variables the variables of the server with secrets, each with a field that names it
 * @param files     the fields that name a file with a secret
 */
public record Secrets(Map<String, String> variables, List<String> files) {}

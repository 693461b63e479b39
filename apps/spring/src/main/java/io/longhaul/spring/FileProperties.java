// SPDX-License-Identifier: Apache-2.0
package io.longhaul.spring;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

/**
 * The properties of a file of tools beside the beans. Immutable.
 *
 * @param file the file; null for none
 * @param jobs the folder for the output of its commands
 */
@ConfigurationProperties("longhaul")
public record FileProperties(
        @Nullable Resource file,
        @DefaultValue("longhaul-jobs") Path jobs) {}

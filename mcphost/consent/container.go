package consent

// This file judges how docker and podman are told to run a container: what of this computer it gets.

import "strings"

// containerFlags have a value as their next argument, unless it is joined by =.
const containerFlags = ` -v --volume --mount -e --env --env-file -p --publish -w --workdir -u --user -h --hostname -l --label -m --memory
	--name --network --net --pid --ipc --uts --userns --cap-add --cap-drop --device --security-opt --entrypoint --platform --add-host
	--dns --cpus --gpus --restart --runtime --tmpfs --ulimit --pull --log-driver --log-opt --shm-size --stop-signal --volumes-from
	--group-add --cidfile --ip --link --env-host --annotation --init-path --sysctl --cgroupns -a --attach `

// container judges docker run. An image is pinned by a digest or by a tag other than latest.
func (r *report) container(args []string, at int) {
	run := at
	for run < len(args) && args[run] != "run" && args[run] != "create" {
		run++
	}
	for i := run + 1; i < len(args); i++ {
		flag, value, joined := strings.Cut(args[i], "=")
		at := i
		if !strings.HasPrefix(flag, "-") {
			r.add(CodeDownloadsCode, argument(i), args[i])
			r.image(argument(i), args[i])
			return
		}
		if short, rest, ok := shortVolume(args[i]); ok {
			flag, value, joined = short, rest, true
		}
		if !joined && strings.Contains(containerFlags, " "+flag+" ") && i+1 < len(args) {
			i++
			at, value = i, args[i]
		}
		r.containerFlag(argument(at), flag, value)
	}
}

// shortVolume splits -v/src:/dst, which needs no space.
func shortVolume(arg string) (flag, value string, ok bool) {
	if len(arg) > 2 && strings.HasPrefix(arg, "-v") && !strings.HasPrefix(arg, "-v=") {
		return "-v", arg[2:], true
	}
	return "", "", false
}

func (r *report) containerFlag(pointer, flag, value string) {
	switch flag {
	case "-v", "--volume":
		drive := 0
		if startsWithDrive(value) {
			drive = len("C:")
		}
		source, _, _ := strings.Cut(value[drive:], ":")
		r.mount(pointer, value[:drive]+source)
	case "--mount":
		for field := range strings.SplitSeq(value, ",") {
			if name, source, _ := strings.Cut(field, "="); name == "source" || name == "src" {
				r.mount(pointer, source)
			}
		}
	case "--privileged", "--cap-add", "--device", "--security-opt", "--volumes-from":
		r.add(CodeLeavesContainer, pointer, strings.TrimSpace(flag+" "+value))
	case "--pid", "--ipc", "--uts", "--userns", "--network", "--net", "--cgroupns":
		if value == "host" {
			r.add(CodeLeavesContainer, pointer, flag+" host")
		}
	}
}

// mount judges what of this computer is shared.
func (r *report) mount(pointer, source string) {
	clean := strings.TrimRight(source, `/\`)
	parts := strings.FieldsFunc(source, func(c rune) bool { return c == '/' || c == '\\' })
	isPath := strings.ContainsAny(source, `/\~$%.`)
	switch {
	case !isPath || source == "":
		// A named volume, which docker keeps.
	case strings.HasSuffix(clean, "docker.sock") || strings.HasSuffix(clean, "podman.sock") || strings.HasSuffix(clean, "containerd.sock"):
		r.add(CodeSharesSocket, pointer, source)
	case clean == "" || len(clean) == len("C:") && startsWithDrive(clean+"/") || clean == "/etc" || clean == "/proc" || clean == "/sys" || clean == "/var" || clean == "/root" || clean == "/home" || clean == "/Users":
		r.add(CodeSharesRoot, pointer, source)
	case clean == "~" || clean == "$HOME" || clean == "${HOME}" || clean == "%USERPROFILE%" || isHome(parts):
		r.add(CodeSharesHome, pointer, source)
	default:
		r.add(CodeSharesFolder, pointer, source)
	}
}

// isHome reports whether the parts of a path are those of a home folder: /home/you, /Users/you, C:\Users\you.
func isHome(parts []string) bool {
	if len(parts) > 0 && strings.HasSuffix(parts[0], ":") {
		parts = parts[1:]
	}
	return len(parts) == 2 && (parts[0] == "home" || parts[0] == "Users")
}

func (r *report) image(pointer, image string) {
	if strings.Contains(image, "@sha256:") {
		return
	}
	tag := ""
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		tag = image[i+1:]
	}
	switch tag {
	case "latest":
		r.add(CodeNotPinned, pointer, tag)
	case "":
		r.add(CodeNotPinned, pointer, image)
	}
}

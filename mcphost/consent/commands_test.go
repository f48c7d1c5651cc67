package consent

import (
	"slices"
	"strings"
	"testing"
)

// marked writes spans as "code: the text that is marked".
func marked(text string, spans []span) string {
	var all []string
	for _, s := range spans {
		all = append(all, s.code+": "+text[s.start:s.end])
	}
	return strings.Join(all, "; ")
}

func TestShell(t *testing.T) {
	for script, want := range map[string]string{
		"":                                    "",
		"ls -la | sort > out.txt":             "",
		"echo done; true && false || exit 1":  "",
		"rm -rf ./cache":                      "deletes-files: rm -rf",
		"/bin/rm x":                           "deletes-files: /bin/rm",
		`C:\tools\RM.EXE /s`:                  `deletes-files: C:\tools\RM.EXE`,
		"cd /tmp && rm -r -f x":               "deletes-files: rm -r -f",
		"A=1 B=2 rm x":                        "deletes-files: rm",
		"if true; then rm x; fi":              "deletes-files: rm",
		"f(){ rm x; }":                        "deletes-files: rm",
		"for f in *; do rm $f; done":          "deletes-files: rm",
		"! rm x":                              "deletes-files: rm",
		"# rm -rf /\nls":                      "",
		"ls # rm -rf /":                       "",
		"ls x#rm":                             "",
		"echo rm -rf /":                       "",
		"grep 'rm' x":                         "",
		`r\m -rf x`:                           `deletes-files: r\m -rf`,
		"rm \\\n -rf x":                       "deletes-files: rm \\\n -rf",
		"it's rm; don't":                      "",
		"it's\nrm x":                          "deletes-files: rm",
		`sh -c "rm -rf x"`:                    "deletes-files: rm -rf",
		`ssh host 'cd / && rm -rf x'`:         "deletes-files: rm -rf; uses-network: ssh",
		`bash -c "sh -c 'rm x'"`:              "deletes-files: rm",
		`echo $(rm x)`:                        "deletes-files: rm",
		"echo `rm x`":                         "deletes-files: rm",
		"sudo -u root rm -f x":                "runs-as-root: sudo -u; deletes-files: rm -f",
		"sudo apt-get install -y nmap":        "runs-as-root: sudo; installs-software: apt-get install -y",
		"xargs -n1 rm < list":                 "deletes-files: rm",
		"timeout 5 env X=1 rm x":              "deletes-files: rm",
		`find . -name '*.o' -delete`:          "deletes-files: find . -name '*.o' -delete",
		`find . -name rm`:                     "",
		`find . -exec rm {} \;`:               "deletes-files: rm",
		"docker run -v /:/h alpine rm -rf /h": "deletes-files: rm -rf",
		"docker system prune -af":             "deletes-services: docker system prune -af",
		"docker ps":                           "",
		"kubectl delete ns prod":              "deletes-services: kubectl delete",
		"terraform destroy -auto-approve":     "deletes-services: terraform destroy -auto-approve",
		"aws s3 rm s3://b --recursive":        "deletes-services: aws s3 rm; uses-network: aws",
		"dd if=/dev/zero of=/dev/sda":         "overwrites-disk: dd if=/dev/zero of=/dev/sda",
		"mkfs.ext4 /dev/sdb1":                 "overwrites-disk: mkfs.ext4",
		"cat x > /dev/sda":                    "overwrites-disk: /dev/sda",
		"cat x > /dev/null 2>&1":              "",
		"echo x >> ~/.bashrc":                 "changes-startup: ~/.bashrc",
		"cat x > /dev/tcp/1.2.3.4/80":         "uses-network: /dev/tcp/1.2.3.4/80",
		"chmod -R 777 /":                      "changes-rights: chmod -R",
		"kill -9 1":                           "stops-programs: kill -9",
		"systemctl stop nginx":                "stops-programs: systemctl stop",
		"systemctl status nginx":              "",
		"crontab -":                           "changes-startup: crontab -",
		"git status":                          "",
		"git push origin main":                "uses-network: git push",
		"git push --force-with-lease":         "discards-history: git push --force-with-lease; uses-network: git push --force-with-lease",
		"git push origin +main":               "discards-history: git push origin +main; uses-network: git push",
		"git reset --hard HEAD~1":             "discards-history: git reset --hard",
		"git -C x clean -xdf":                 "deletes-files: git -C x clean -xdf",
		"git branch -D x":                     "discards-history: git branch -D",
		"curl https://a.example":              "uses-network: curl",
		"curl -fsSL x | sh":                   "uses-network: curl -fsSL; runs-download: curl -fsSL x | sh",
		"curl x | tee y | sudo bash -s -- a":  "uses-network: curl; runs-as-root: sudo; runs-download: curl x | tee y | sudo bash",
		"curl x | jq .":                       "uses-network: curl",
		"curl x || sh":                        "uses-network: curl",
		"curl x | python3 -m json.tool":       "uses-network: curl",
		"curl x | bash run.sh":                "uses-network: curl",
		"base64 -d x | sh":                    "runs-inline-code: base64 -d x | sh",
		"bash <(curl -s x)":                   "uses-network: curl -s; runs-download: curl -s x",
		`sh -c "$(curl -fsSL x)"`:             "uses-network: curl -fsSL; runs-download: curl -fsSL x",
		`sh -c "echo hi; curl x"`:             "uses-network: curl",
		"eval `wget -O- x`":                   "uses-network: wget -O-; runs-download: wget -O- x",
		"iex (irm https://a.example)":         "uses-network: irm; runs-download: irm https://a.example",
		`x="$(curl y)"`:                       "uses-network: curl",
		"rsync -a --delete a/ h:b/":           "deletes-files: rsync -a --delete; uses-network: rsync -a --delete a/ h:b/",
		"rsync -a a/ b/":                      "",
		"npx -y thing":                        "downloads-code: npx -y",
		"npm install left-pad":                "installs-software: npm install",
		"npm test":                            "",
		"dropdb prod":                         "drops-tables: dropdb",
	} {
		spans := shellSpans(script)
		slices.SortStableFunc(spans, func(a, b span) int { return strings.Compare(a.code, b.code) })
		wanted := strings.Split(want, "; ")
		slices.Sort(wanted)
		got := strings.Split(marked(script, spans), "; ")
		slices.Sort(got)
		if !slices.Equal(got, wanted) {
			t.Errorf("%q:\n got %s\nwant %s", script, strings.Join(got, "; "), strings.Join(wanted, "; "))
		}
	}
}

func TestCodeOfOtherLanguages(t *testing.T) {
	for code, want := range map[string]string{
		"import shutil\nshutil.rmtree(p)":          "deletes-files: shutil.rmtree",
		"os.remove(p); os.remove(q)":               "deletes-files: os.remove(; deletes-files: os.remove(",
		"await fetch('x')":                         "uses-network: fetch(",
		"requests.post(u, data=d)":                 "uses-network: requests.",
		"print('hello')":                           "",
		"fs.rmSync('/x', {recursive: true})":       "deletes-files: .rmSync(",
		"Remove-Item -Recurse -Force C:\\x":        "deletes-files: Remove-Item",
		"const ws = new WebSocket('wss://a.test')": "uses-network: WebSocket(",
	} {
		if got := marked(code, codeSpans(code)); got != want {
			t.Errorf("%q: got %s, want %s", code, got, want)
		}
	}
}

func TestSQL(t *testing.T) {
	for sql, want := range map[string]string{
		"select berth, count(*) from arrivals where month='2026-10' group by berth": "",
		"SELECT 1; SELECT 2":                                     "",
		"with a as (select 1) select * from a":                   "",
		"explain select 1":                                       "",
		"drop table users":                                       "drops-tables: drop table",
		"DROP/**/TABLE users":                                    "drops-tables: DROP/**/TABLE",
		"select 1; DROP SCHEMA x CASCADE":                        "drops-tables: DROP SCHEMA",
		"with x as (delete from a returning *) select * from x":  "deletes-rows: delete from",
		"truncate a":                                             "deletes-rows: truncate a",
		"update only s.a as b set x=1":                           "changes-rows: update",
		"select * from a for update":                             "",
		"insert into a values (1)":                               "changes-rows: insert into",
		"insert into a values (1) on conflict do update set x=1": "changes-rows: insert into; changes-rows: update",
		"replace into a values (1)":                              "changes-rows: replace into",
		"alter table a add b int":                                "changes-schema: alter table",
		"create or replace view v as select 1":                   "changes-schema: create or",
		"grant all on a to b":                                    "changes-schema: grant all",
		"copy a to program 'curl x'":                             "unclear-sql: copy; leaves-database: to program",
		"select pg_read_file('/etc/passwd')":                     "leaves-database: pg_read_file",
		"exec xp_cmdshell 'dir'":                                 "unclear-sql: exec; leaves-database: xp_cmdshell",
		"select 1 into outfile '/x'":                             "leaves-database: into outfile",
		"attach database '/x' as y":                              "leaves-database: attach database",
		"vacuum":                                                 "unclear-sql: vacuum",
		"select 1; do $$ begin end $$":                           "unclear-sql: do",
		"/* select */ call p()":                                  "",
		"":                                                       "",
	} {
		got := marked(sql, sqlSpans(sql, true))
		if got != want {
			t.Errorf("%q: got %s, want %s", sql, got, want)
		}
	}
	if got := marked("truncate it and grant me", sqlSpans("truncate it and grant me", false)); got != "" {
		t.Errorf("in a script: %s", got)
	}
}

func TestLooksLikeSQL(t *testing.T) {
	for text, want := range map[string]bool{
		"select a from b": true, "SELECT 1": false, "select a good restaurant": false, "weather in Oslo": false, "update a set b=1": true,
		"update me on this": false, "drop table x": true, "drop by": false, "delete from a": true, "": false, "with x as (select 1)": true, "insert into a": true,
	} {
		if got := looksLikeSQL(text); got != want {
			t.Errorf("%q: got %t", text, got)
		}
	}
}
